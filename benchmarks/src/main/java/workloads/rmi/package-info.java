/** A program of remote method invocation, with management (JMX) over the same. */
package workloads.rmi;
