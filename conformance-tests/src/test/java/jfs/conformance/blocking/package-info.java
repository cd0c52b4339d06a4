/**
 * Threads that wait in a socket, several at a time, platform and virtual: time-outs, interrupts, signals.
 */
package jfs.conformance.blocking;
