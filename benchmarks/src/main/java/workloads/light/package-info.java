/** Many connections that are used now and then: an echo server, and a client that paces its requests. */
package workloads.light;
