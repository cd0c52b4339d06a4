/**
 * Typed streams over the sockets and channels of a program: arrays of primitive types without a {@code byte[]} between, and bytes that are
 * written and read in place. {@link jfs.JFS#streams(java.net.Socket)} makes them.
 */
package jfs.streams;
