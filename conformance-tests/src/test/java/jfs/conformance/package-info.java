/**
 * What programs may expect of {@code java.net} sockets, each expectation written once and run on every {@link
 * jfs.conformance.Subject}: the JDK's own sockets say what is right, JFS has to agree. No test knows which subject it
 * runs on.
 *
 * <p>Both ends of every connection are in the test's JVM here; tests with several processes are in
 * {@code jfs.conformance.processes}.
 */
package jfs.conformance;
