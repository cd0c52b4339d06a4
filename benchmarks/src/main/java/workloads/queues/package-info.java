/** A program that uses the message queues of JFS. {@code jfs.jar} has to be on the class path. */
package workloads.queues;
