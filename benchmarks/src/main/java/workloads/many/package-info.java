/** Many connections: an echo server, a client that uses all of them now and then, and one that uses some of them all the time. */
package workloads.many;
