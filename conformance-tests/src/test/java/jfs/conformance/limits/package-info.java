/**
 * The system has no more of something, or refuses it, at either end, from the start on or later: descriptors, mappings,
 * memory, threads, system calls, file systems. Connections then stay on TCP, for a reason that both ends can read, or are
 * as fast as before. No thread waits for what is missing, and nothing is left of it.
 */
package jfs.conformance.limits;
