/** A stand-in, over Unix sockets, for the message queues of JFS. This module is tested without JFS. */
package jfs.scilib;
