/** Compares this build with the build of another commit: {@code bench compare}, and the build of that commit. */
package jfs.benchmarks.builds;
