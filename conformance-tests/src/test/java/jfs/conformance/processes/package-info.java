/**
 * JFS between processes: beside peers that don't run it, between namespaces, users and JDKs, and when a process dies.
 *
 * <p>Tests here only give orders. The sockets are in child JVMs, each a {@link jfs.conformance.processes.Peer}, which never
 * outlive the test's own JVM.
 */
package jfs.conformance.processes;
