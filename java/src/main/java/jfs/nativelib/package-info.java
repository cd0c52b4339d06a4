/**
 * Loads the native libraries and declares every native method. Native calls create, map, sleep and wake. They move no application
 * byte, but for the elements of layouts ({@link jfs.nativelib.Blocks}), which C copies faster. This package decides nothing: each method is
 * one system call, one SISCI call or one copy. Its result is the value or a negative errno, or an SCI error code.
 */
package jfs.nativelib;
