/** Servers and clients on Netty's NIO transport, in processes of their own. */
package programs.netty;
