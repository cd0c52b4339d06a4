/**
 * Ordinary programs on the JDK's sockets. None of them uses a class of JFS. Each program writes what it sees to
 * standard output. The order of the lines doesn't depend on timing, so two runs can be compared line by line.
 */
package programs;
