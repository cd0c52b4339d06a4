/** Programs that do almost nothing, to measure the cost of their start, and two programs that talk as soon as they have started. */
package workloads.startup;
