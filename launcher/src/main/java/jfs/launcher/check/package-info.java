/** The command {@code check}: whether a connection from here to a listener would be fast. It opens no connection of that program. */
package jfs.launcher.check;
