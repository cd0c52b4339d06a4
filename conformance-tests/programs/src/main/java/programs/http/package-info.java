/**
 * HTTP with and without TLS. One server blocks in {@code java.net}'s sockets, and the other one is the JDK's own, which
 * uses channels. The clients are HttpURLConnection and Apache's HttpClient. TLS is the JVM's default, set up by
 * {@code javax.net.ssl.*}.
 */
package programs.http;
