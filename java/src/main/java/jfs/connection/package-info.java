/**
 * One TCP connection with, perhaps, a fast path beside it: its life, its two directions, its end. The connection's State draws
 * the life. The sockets above know what a program may call and when; this package knows where the bytes go.
 */
package jfs.connection;
