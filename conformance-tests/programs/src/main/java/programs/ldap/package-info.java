/** LDAP: a directory server in Java, and clients on JNDI and on UnboundID's SDK. */
package programs.ldap;
