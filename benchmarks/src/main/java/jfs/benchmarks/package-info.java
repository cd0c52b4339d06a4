/**
 * Starts programs as child processes over the JDK's sockets and over JFS in turn, beside the C floor, and compares their figures.
 *
 * <p>No class of this package is linked with JFS. Like JFS's users, the package only starts JVMs with {@code jfs.jar} on their
 * class path. (The program {@code workloads.queues} uses the interface of JFS's message queues, which it finds on that class path.)
 */
package jfs.benchmarks;
