package jfs.benchmarks;

/** Whose sockets a program runs over. */
enum Side {
    JDK,
    JFS
}
