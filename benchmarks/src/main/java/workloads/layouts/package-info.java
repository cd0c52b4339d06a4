/**
 * Vectors of blocks there and back over one connection: by layouts of {@code jfs-buffers} and by hand, beside the same elements in one
 * piece.
 */
package workloads.layouts;
