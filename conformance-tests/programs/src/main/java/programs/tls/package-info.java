/**
 * TLS by JSSE's sockets at both ends: over connections of their own, and over ones that exist. Keys and trust are the
 * JVM's default, by {@code javax.net.ssl.*}.
 */
package programs.tls;
