package jfs.transport.tcp;

import java.lang.invoke.MethodHandles;
import jfs.nativelib.Jvm;
import jfs.nativelib.NativeLibrary;

/**
 * The way into {@code java.net}'s internals that strong encapsulation leaves open: a lookup that may access every member
 * of every class, which the agent gives or the native library fetches. Without either there is none.
 */
public final class JdkAccess {

    private static MethodHandles.Lookup given;

    private JdkAccess() {
    }

    /**
     * For the agent, which can open the package of {@link MethodHandles.Lookup} to itself. Before the first JFS socket.
     *
     * @param trusted {@code MethodHandles.Lookup.IMPL_LOOKUP}
     */
    public static synchronized void give(MethodHandles.Lookup trusted) {
        given = trusted;
    }

    /** The lookup, or null if {@link #unavailable()} has a reason. */
    static synchronized MethodHandles.Lookup lookup() {
        if (given == null && NativeLibrary.unavailable() == null) {
            given = Jvm.trustedLookup();
        }
        return given;
    }

    /** Null if there is a lookup, else why not, in one line. */
    static String unavailable() {
        if (lookup() != null) {
            return null;
        }
        String noNatives = NativeLibrary.unavailable();
        return noNatives != null ? noNatives : "this JVM has no MethodHandles.Lookup.IMPL_LOOKUP";
    }
}
