/** RMI: a registry, a server that calls back and counts references, and a client. They use several kinds of sockets. */
package programs.rmi;
