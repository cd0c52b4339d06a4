/** Medians, ratios and their intervals over forks and turns, and the goals that a figure is compared with. */
package jfs.benchmarks.statistics;
