/** The command {@code status}: what the processes of JFS show of their connections, joined with what the kernel knows of them. */
package jfs.launcher.status;
