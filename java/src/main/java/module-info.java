/** Java Fast Sockets: the library. {@code jfs.jar}, with the launcher in it, is for the class path. */
module jfs {
    requires static jdk.unsupported; // sun.misc.Unsafe, for JdkAccess
    exports jfs;
    exports jfs.config;
    exports jfs.scilib;
    exports jfs.spi;
    exports jfs.stat;
    uses java.nio.channels.spi.SelectorProvider; // whether the program has one of its own
    uses jfs.spi.TransportProvider;
}
