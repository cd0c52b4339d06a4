/**
 * How a connection comes about: programs make sockets in their own ways, bind them, connect, listen and accept. Offers find the
 * accepted connection in all of these ways.
 */
package jfs.conformance.connecting;
