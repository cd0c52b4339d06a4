/**
 * JFS on a SISCI or MX library that is not our shim: which one it takes, that it works there, and what it does when it doesn't.
 */
package jfs.conformance.vendor;
