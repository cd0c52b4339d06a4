/**
 * {@code java.net} sockets over a fast path: the {@link java.net.SocketImpl} that programs get without knowing it.
 *
 * <p>The class names are those of the paper "Efficient Java Communication Protocols on High-speed Cluster
 * Interconnects" (Taboada, Touri&ntilde;o, Doallo), listing 2.
 */
package jfs;
