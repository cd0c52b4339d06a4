/** RMI: a registry, a server that calls back and counts references, a client; over sockets of several makes. */
package programs.rmi;
