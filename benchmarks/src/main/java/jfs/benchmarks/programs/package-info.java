/**
 * What is run: JFS and the Java of the user's choice, the programs and the sockets they run over, as command lines, and what JFS logs
 * in their output. The floor programs in C are here, too.
 */
package jfs.benchmarks.programs;
