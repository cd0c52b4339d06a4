/** Buffers for messages of typed arrays and objects, derived layouts, and pools of direct memory. */
module jfs.buffers {
    requires transitive jfs;
    exports jfs.buffers;
    exports jfs.buffers.pool;
}
