package jfs.nativelib;

import java.lang.invoke.MethodHandles;

/** What only JNI can get from the JVM itself. Usable from any thread once {@link NativeLibrary} has loaded. */
public final class Jvm {

    private Jvm() {
    }

    /**
     * {@code MethodHandles.Lookup.IMPL_LOOKUP}, the lookup that may access every member of every class. Strong encapsulation
     * does not stop JNI, so this is a way to the JDK's own {@code SocketImpl} that needs no command-line flag.
     *
     * @return the lookup, or null if this JVM has no such field
     */
    public static native MethodHandles.Lookup trustedLookup();
}
