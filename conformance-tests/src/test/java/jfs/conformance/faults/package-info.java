/**
 * Faults of a process in the middle of a conversation. At each {@link jfs.steps.Step} of a connection's life one of two
 * processes is killed, stopped, ended or out of memory. The other one must see what it would see over TCP.
 */
package jfs.conformance.faults;
