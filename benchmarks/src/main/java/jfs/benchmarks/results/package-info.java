/** What becomes of the figures of a whole measurement: its rows and goals, and the tables, files and plots that show them. */
package jfs.benchmarks.results;
