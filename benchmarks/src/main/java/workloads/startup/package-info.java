/** Programs that do next to nothing, to see what starting them costs; and two that talk as soon as they have started. */
package workloads.startup;
