/**
 * Loads the native libraries and declares every native method. Native calls create, map, sleep and wake; they never
 * move an application byte. This package decides nothing: each method is one system call or one SISCI call. Its result is
 * the value or a negative errno, or an SCI error code.
 */
package jfs.nativelib;
