/** Java Fast Sockets: the library. {@code jfs.jar}, with the launcher in it, is for the class path. */
module jfs {
    exports jfs;
    exports jfs.config;
    exports jfs.scilib;
    exports jfs.spi;
    exports jfs.stat;
}
