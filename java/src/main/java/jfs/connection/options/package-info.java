/** The options of a TCP socket beside which there is a path. The kernel's value is not always the value that the program has set. */
package jfs.connection.options;
