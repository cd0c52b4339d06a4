/** What the user sees: tables, and the progress of a measurement. */
package jfs.benchmarks.output;
