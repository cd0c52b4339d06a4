/** A program with remote method invocation (RMI), and with management (JMX) over RMI. */
package workloads.rmi;
