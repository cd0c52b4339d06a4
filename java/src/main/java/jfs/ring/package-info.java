/**
 * One direction of a connection as a pure algorithm over shared memory: no sockets, no waiting, no locks. One thread
 * at a time sends and one at a time receives (the socket's write and read locks see to that).
 */
package jfs.ring;
