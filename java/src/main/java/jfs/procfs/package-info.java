/** What Linux tells in {@code /proc}. Elsewhere, or where a security manager forbids it, there is nothing to be read: no error. */
package jfs.procfs;
