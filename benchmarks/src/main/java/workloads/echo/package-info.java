/** A server that answers each message with the same bytes, and its clients: long conversations, short connections, rare requests. */
package workloads.echo;
