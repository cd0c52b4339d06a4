/**
 * What programs may expect of {@code java.net} sockets. Each expectation is written once and tested on every
 * {@link jfs.conformance.harness.Subject}: the JDK's own sockets define what is right, and JFS has to behave alike. No test
 * depends on the subject that it runs on.
 *
 * <p>Both ends of a connection are in the test's JVM in {@code connecting}, {@code proxies}, {@code options}, {@code stream},
 * {@code endings}, {@code blocking} and {@code resources}. Most tests of the other packages have several processes. What all
 * of them share is in {@code harness}.
 */
package jfs.conformance;
