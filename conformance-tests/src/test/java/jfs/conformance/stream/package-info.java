/**
 * Bytes under way: they arrive once, in order, and when they should. Urgent bytes and every method of the two streams.
 */
package jfs.conformance.stream;
