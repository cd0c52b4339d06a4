/** RMI: a registry, a server that calls back and counts references, a client. */
package programs.rmi;
