/** Programs that allocate and release buffers, and use no socket. */
package workloads.buffers;
