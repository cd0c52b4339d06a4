/** LDAP: a directory server in Java, and a client on JNDI and on UnboundID's SDK. */
package programs.ldap;
