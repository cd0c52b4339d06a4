/** The list of the transports that come with JFS. Each has a package of its own. */
package jfs.transport;
