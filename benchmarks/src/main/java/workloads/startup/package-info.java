/** Programs that do next to nothing, to see what starting them costs. */
package workloads.startup;
