/**
 * What programs may expect of {@code java.net} sockets. Each expectation is written once and tested on every
 * {@link jfs.conformance.harness.Subject}: the JDK's own sockets define what is right, and JFS has to behave alike. No test depends
 * on the subject that it runs on.
 *
 * <p>Both ends of every connection are in the test's JVM here; tests with several processes are in
 * {@code jfs.conformance.processes}.
 */
package jfs.conformance;
