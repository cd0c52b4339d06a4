/**
 * Runs programs as children over the JDK's sockets, over JFS and beside the C floor, alternating, and compares what they measured.
 *
 * <p>Nothing here is linked with JFS: like its users, it only starts JVMs with {@code jfs.jar} on their class path.
 */
package jfs.benchmarks;
