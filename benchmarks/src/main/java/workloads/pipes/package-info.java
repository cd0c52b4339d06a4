/**
 * The ceiling: a client and its server in one JVM whose sockets are pipes in its memory. What a program reaches there is what it
 * would reach if connections cost nothing but the hand-over from one thread to the other; what is left is its own work.
 */
package workloads.pipes;
