/**
 * Many connections: an echo server, a client that uses all of them now and then, and one that uses some of them all the time. The same in
 * a selector: a server and a client that uses one of them.
 */
package workloads.many;
