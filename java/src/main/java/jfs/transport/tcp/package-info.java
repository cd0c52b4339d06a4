/**
 * TCP with the semantics of {@code java.net}: the JDK's own {@code SocketImpl}, called from outside, or, where that
 * can't be reached, the same over the channels of {@code java.nio}.
 */
package jfs.transport.tcp;
