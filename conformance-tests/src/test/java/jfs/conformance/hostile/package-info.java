/**
 * Peers that break every rule. They write the rendezvous' messages and the memory by hand, make a victim attach a real
 * connection, and then send and write anything. Victim and peer are in one JVM where that suffices; the JVM must survive.
 */
package jfs.conformance.hostile;
