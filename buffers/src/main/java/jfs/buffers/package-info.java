/** Buffers that a message is packed into and unpacked from: typed sections, objects, and derived layouts. */
package jfs.buffers;
