/** A program over message queues of JFS, which is to be on the class path. */
package workloads.queues;
