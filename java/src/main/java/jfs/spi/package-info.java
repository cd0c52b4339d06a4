/**
 * What a fast transport implements and what it may rely on. The negotiation and the streams know transports by these
 * types only.
 */
package jfs.spi;
