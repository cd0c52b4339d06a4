/**
 * Runs programs as children over the JDK's sockets, over JFS and beside the C floor, alternating, and compares what they measured.
 *
 * <p>Nothing here is linked with JFS: like its users, it only starts JVMs with {@code jfs.jar} on their class path. (The program
 * {@code workloads.queues} is written to the interface of JFS's message queues, which it finds there.)
 */
package jfs.benchmarks;
