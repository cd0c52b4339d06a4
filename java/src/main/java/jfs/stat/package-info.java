/**
 * What JFS counts in this process, for programs that want to know: {@link jfs.stat.Stats} has the counters, {@link jfs.stat.Reason} the
 * reasons why connections stay on TCP, in words. {@link jfs.stat.SocketsMXBean} has the same, and each open connection, for JMX.
 *
 * <pre>{@code
 * long fast = Stats.fast();                   // connections that use a fast path, or have used one
 * long all = Stats.CONNECTIONS.sum();         // ends of connections so far
 * Stats.fallbacks().forEach((reason, count) -> System.out.println(count + " on TCP: " + reason.text()));
 * }</pre>
 *
 * <p>Fields and methods are static, and may be read from any thread at any time. Counters count connections or directions since JFS was
 * first used, and only grow, except those of the reasons. The methods of {@code Stats} that are called when something happens are for JFS
 * itself: a program that calls them falsifies the counters.
 */
package jfs.stat;
