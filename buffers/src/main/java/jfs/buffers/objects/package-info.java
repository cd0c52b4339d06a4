/** Serialized objects: their bytes, and what is made of them. Not exported: the messages of {@code jfs.buffers} lead here. */
package jfs.buffers.objects;
