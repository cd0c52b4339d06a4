/**
 * The negotiation between hosts with the kernel's TCP and natives, in one JVM. The tests of code that needs neither lie
 * beside that code.
 */
package jfs.negotiation.handshake.remote;
