/**
 * Typed streams: arrays of primitive types, and bytes in place, over each kind of socket and in each state of a connection. The oracle of
 * what goes over the wire is {@link java.io.DataOutputStream} and {@link java.io.DataInputStream} over the same socket.
 */
package jfs.conformance.typed;
