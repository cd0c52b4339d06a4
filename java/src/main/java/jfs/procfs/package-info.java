/** What Linux tells in {@code /proc}. On another system, or where a security manager forbids it, nothing is read; that is no error. */
package jfs.procfs;
