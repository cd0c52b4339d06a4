/**
 * Reads the reports of Maven and ctest for the script {@code jfs}. It prints what failed, what was skipped and where the
 * time went, and makes the table of {@code docs/conformance.md}.
 */
package jfs.report;
