/**
 * Runs the programs of {@link programs}, each in its own JVM: on the JDK's sockets, and with JFS. Their output must be
 * the same. JFS's log must show that the connections were fast if both processes had JFS.
 */
package jfs.programs;
