/** The native libraries of Java Fast Sockets for Linux on aarch64. */
@SuppressWarnings("module") // the digits are the processor's
module jfs.natives.linux.aarch64 {
    requires jfs;
    provides jfs.nativelib.NativeFiles with jfs.natives.linux.aarch64.Files;
}
