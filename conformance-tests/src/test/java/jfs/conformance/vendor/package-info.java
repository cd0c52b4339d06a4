/**
 * JFS on a SISCI or MX library that is not our shim: which library JFS takes, that it works there, and what JFS does when
 * its calls fail.
 */
package jfs.conformance.vendor;
