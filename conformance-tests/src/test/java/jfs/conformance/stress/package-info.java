/**
 * Two processes whose steps interleave in all ways: threads pause at random at each {@link jfs.steps.Step} of a
 * connection's life, while many connections of all kinds are at work both ways.
 */
package jfs.conformance.stress;
