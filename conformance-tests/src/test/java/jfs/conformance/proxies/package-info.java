/**
 * Sockets that connect through a SOCKS or HTTP proxy, and what the program's proxy selector is asked.
 */
package jfs.conformance.proxies;
