/** Programs whose sockets are not {@code java.net.Socket}. */
package programs.channels;
