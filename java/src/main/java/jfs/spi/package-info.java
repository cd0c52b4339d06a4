/**
 * What a fast transport implements and what it may rely on. A {@link jfs.spi.TransportProvider} makes a transport known, a {@link
 * jfs.spi.Transport} sets up paths, and a {@link jfs.spi.FastPath} is one end of a path. The settings, the negotiation and the streams know
 * transports by these types only.
 */
package jfs.spi;
