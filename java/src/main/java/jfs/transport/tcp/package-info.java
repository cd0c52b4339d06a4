/** TCP as the JDK does it: its own {@code SocketImpl}, called from outside. */
package jfs.transport.tcp;
