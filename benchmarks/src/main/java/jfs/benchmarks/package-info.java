/**
 * Starts programs as child processes over the JDK's sockets and over JFS in turn, beside the C floor, and compares their figures.
 *
 * <p>No class of this package, or of a package in it, is linked with JFS. Like JFS's users, the package only starts JVMs with
 * {@code jfs.jar} on their class path. (The programs {@code workloads.queues} and {@code workloads.arrays} use the interfaces of
 * JFS's message queues and typed streams, which they find on that class path, and {@code workloads.buffers} the pools of
 * {@code jfs-buffers}.)
 *
 * <p>Imports go down only:
 *
 * <pre>
 *   jfs.benchmarks   the program's main
 *   commands         the command line
 *   builds           this build and another
 *   measurements     what is run, and how often
 *   results          what is shown of a measurement
 *   report           the page and the text of a measurement
 *   statistics       medians, intervals, goals
 *   programs         command lines
 *   processes        children
 *   output           tables, progress
 *   workloads        the programs that are measured; they know nothing of jfs.benchmarks
 * </pre>
 */
package jfs.benchmarks;
