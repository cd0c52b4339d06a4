/** Stands in for the message queues of JFS, which this module is tested without: over Unix sockets. */
package jfs.scilib;
