/**
 * A program that sends arrays of primitive types there and back, in the ways that Java has and by the typed streams of JFS. For the latter
 * {@code jfs.jar} has to be on the class path.
 */
package workloads.arrays;
