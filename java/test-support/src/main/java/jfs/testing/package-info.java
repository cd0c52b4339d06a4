/**
 * What the native tests and the conformance tests share: waiting, threads, random numbers, free ports, the native libraries. None of it
 * ships. The package {@code jfs} of this module has what conformance tests need from inside the library.
 */
package jfs.testing;
