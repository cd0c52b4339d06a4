/**
 * The commands: each has its options, makes a measurement, and prints its table and its goals. {@code bench compare} is in
 * {@link jfs.benchmarks.builds}.
 */
package jfs.benchmarks.commands;
