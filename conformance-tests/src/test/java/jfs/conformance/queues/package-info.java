/** Message queues between processes, in Java and in C. */
package jfs.conformance.queues;
