/**
 * Two processes whose steps interleave in all ways. Threads pause at random at each {@link jfs.steps.Step} of a
 * connection's life, while many connections of all kinds carry bytes both ways.
 */
package jfs.conformance.stress;
