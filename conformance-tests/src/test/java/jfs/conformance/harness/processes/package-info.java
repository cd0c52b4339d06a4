/**
 * Child JVMs that do what a test tells them. A {@link jfs.conformance.harness.processes.Child} is such a process as the test sees
 * it, a {@link jfs.conformance.harness.processes.Peer} is what runs in it. No child outlives the test's own JVM.
 */
package jfs.conformance.harness.processes;
