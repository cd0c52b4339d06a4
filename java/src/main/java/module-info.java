/** Java Fast Sockets: the library. {@code jfs.jar}, with the launcher in it, is for the class path. */
@SuppressWarnings("module") // the modules with the native libraries are built later
module jfs {
    requires static java.management; // JFS's MXBean, where there is one
    requires static jdk.jfr; // the events of the flight recorder
    requires static jdk.unsupported; // sun.misc.Unsafe, for JdkAccess
    exports jfs;
    exports jfs.config;
    exports jfs.scilib;
    exports jfs.spi;
    exports jfs.stat;
    exports jfs.streams;
    exports jfs.memory to jfs.buffers; // ElementType and BlockCopies; StreamAccess and ElementSequence for its layouts
    exports jfs.nativelib to jfs.natives.linux.aarch64, jfs.natives.linux.x86_64;
    uses java.nio.channels.spi.SelectorProvider; // whether the program has one of its own
    uses jfs.nativelib.NativeFiles; // brings a module with native libraries to life that lies on the module path
    uses jfs.spi.TransportProvider;
}
