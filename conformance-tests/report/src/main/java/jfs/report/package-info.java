/**
 * Reads the reports that Maven and ctest leave behind, for the script {@code jfs}: it names what failed, what was skipped and where the
 * time went, and makes the table of {@code docs/conformance.md}.
 */
package jfs.report;
