/**
 * The programs of {@link programs}, each in a JVM of its own, on the JDK's sockets and with JFS under them. What they
 * say must be the same, and JFS's log must show that their connections were fast where both ends have it.
 */
package jfs.programs;
