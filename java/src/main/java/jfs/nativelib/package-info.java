/**
 * Loads the native libraries and declares every native method. Native calls create, map, sleep and wake; they never
 * move an application byte. No policy lives here: each method is one system call or one SISCI call, its result the
 * value or a negative errno / an SCI error code.
 */
package jfs.nativelib;
