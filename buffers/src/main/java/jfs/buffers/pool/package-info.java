/** Pools of direct memory. */
package jfs.buffers.pool;
