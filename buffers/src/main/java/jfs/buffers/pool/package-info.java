/**
 * Pools of direct memory. {@link jfs.buffers.pool.BufferPools#shared} is one for all of a program, {@link jfs.buffers.pool.BuddyPool} makes
 * others.
 */
package jfs.buffers.pool;
