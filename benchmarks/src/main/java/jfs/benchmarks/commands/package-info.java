/**
 * The commands: each has its options, makes a measurement, and hands over its report: text and page. {@code bench compare} is in
 * {@link jfs.benchmarks.builds}.
 */
package jfs.benchmarks.commands;
