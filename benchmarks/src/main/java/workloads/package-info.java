/**
 * The programs that are measured: ordinary Java programs that do not use JFS (but for {@code workloads.queues} and
 * {@code workloads.arrays}, {@code workloads.buffers}) and know nothing of the program that measures them. A server is started with a port
 * (0: any) and prints {@code port N} once it can be used. The {@code main} of a server that can also run over pipes returns then. A client
 * is started with that port. It prints a line {@code result KEY NANOSECONDS} for each operation and ends, or it measures in turns
 * ({@link workloads.Player}).
 */
package workloads;
