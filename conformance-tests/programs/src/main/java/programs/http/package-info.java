/**
 * HTTP with and without TLS: a server that blocks in java.net's sockets and the JDK's own, which is on channels;
 * clients by HttpURLConnection and by Apache's HttpClient. TLS is the JVM's default, set up by {@code javax.net.ssl.*}.
 */
package programs.http;
