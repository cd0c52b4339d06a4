/** The measurements themselves: which programs run, in which order the sides take turns, which of their figures are kept. */
package jfs.benchmarks.measurements;
