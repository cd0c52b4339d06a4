/** The native libraries of Java Fast Sockets for Linux on x86-64. */
@SuppressWarnings("module") // the digits are the processor's
module jfs.natives.linux.x86_64 {
    requires jfs;
    provides jfs.nativelib.NativeFiles with jfs.natives.linux.x86_64.Files;
}
