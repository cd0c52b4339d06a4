/**
 * Faults that a test makes happen in a child process, at a {@link jfs.steps.Step} of a connection's life, and the
 * conversation that the fault interrupts.
 */
package jfs.conformance.harness.faults;
