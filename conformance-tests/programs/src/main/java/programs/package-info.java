/**
 * Ordinary programs on the JDK's sockets: none of them knows of JFS. Each says on standard output what it sees, in an
 * order that doesn't depend on timing, so that two runs can be compared line by line.
 */
package programs;
