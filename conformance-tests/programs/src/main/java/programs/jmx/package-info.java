/** JMX over RMI: a server with an MBean, a remote client. */
package programs.jmx;
