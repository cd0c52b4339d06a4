/**
 * The programs that are measured: ordinary Java that knows nothing of JFS, nor of who measures it. A server is started with a port
 * (0: any), says {@code port N} once it can be used, and its {@code main} returns; a client is started with that port, prints lines
 * {@code result KEY NANOSECONDS}, one for each operation, and ends.
 */
package workloads;
