/**
 * What the system has no more of, or refuses: descriptors, mappings, memory, threads, system calls, file systems. At either
 * end, from the start on or later. Connections then stay on TCP, for a reason that both ends can read, or are as fast as
 * before; nothing waits, and nothing is left.
 */
package jfs.conformance.limits;
