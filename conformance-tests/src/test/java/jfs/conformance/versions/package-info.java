/**
 * Processes with different builds of JFS: this one beside the first build of each protocol version, and beside future
 * builds, which are this one with other version numbers.
 */
package jfs.conformance.versions;
