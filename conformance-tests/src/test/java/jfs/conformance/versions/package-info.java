/**
 * Processes with different builds of JFS: this one beside the first of each protocol version, and beside builds to come,
 * which are this one with other numbers in it.
 */
package jfs.conformance.versions;
