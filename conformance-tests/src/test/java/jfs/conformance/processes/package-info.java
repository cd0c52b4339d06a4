/**
 * JFS between processes: beside peers that don't run it, between namespaces, users and JDKs, and when a process dies.
 *
 * <p>Tests here only give orders. The sockets are in child JVMs, most often each a
 * {@link jfs.conformance.harness.processes.Peer}.
 */
package jfs.conformance.processes;
