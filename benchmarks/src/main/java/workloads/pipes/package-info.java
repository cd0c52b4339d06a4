/**
 * The ceiling: a client and its server in one JVM, whose sockets and channels are pipes in its memory. A program reaches there what it
 * would reach if connections cost only the hand-over from one thread to the other. The rest of the time is the program's own work.
 */
package workloads.pipes;
