/** The providers of the transports that come with JFS. Each transport has a package of its own. */
package jfs.transport;
