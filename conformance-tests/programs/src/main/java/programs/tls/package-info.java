/**
 * TLS by JSSE's sockets at both ends: over connections that JSSE makes, and over connections that exist already. Keys
 * and trusted certificates are the JVM's default, set by {@code javax.net.ssl.*}.
 */
package programs.tls;
