/**
 * One TCP connection with, perhaps, a fast path beside it: its life, its two directions, its end. {@link jfs.connection.Connection} draws
 * the life. The sockets above know what a program may call and when; this package knows where the bytes go.
 */
package jfs.connection;
