/**
 * Makes the table of {@code docs/conformance.md}: what the tests gave, read from the lines that the script {@code jfs}
 * has collected, in the order and with the words of the tests' sources.
 */
package jfs.conformance.table;
