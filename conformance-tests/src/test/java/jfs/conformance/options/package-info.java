/**
 * What a program sets at a socket, and what the socket reports of itself in every state.
 */
package jfs.conformance.options;
