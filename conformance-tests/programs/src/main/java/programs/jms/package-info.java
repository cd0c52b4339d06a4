/** JMS: ActiveMQ's broker, and a client whose connections live longer than a broker. */
package programs.jms;
