/**
 * Peers that break every rule: they speak the rendezvous and the wire by hand, get a real connection of a victim attached,
 * and then say and write anything. Victim and peer are in one JVM where that suffices; it must survive.
 */
package jfs.conformance.hostile;
