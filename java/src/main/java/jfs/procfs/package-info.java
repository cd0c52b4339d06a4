/** What Linux tells in {@code /proc}. Elsewhere there is nothing to be read, which is no error. */
package jfs.procfs;
