/**
 * One TCP connection, which may have a fast path beside it: its life, its two directions, its end. The connection's State draws the life.
 * The sockets (package jfs) know what a program may call and when. This package decides whether the bytes go over TCP or by the path.
 */
package jfs.connection;
