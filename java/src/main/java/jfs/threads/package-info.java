/**
 * The threads that JFS has of its own, in one place: the event loops, the cleaner, the hooks of the shutdown. And what virtual threads
 * need.
 */
package jfs.threads;
