package jfs.transport.tcp;

import java.lang.invoke.MethodHandles;
import jfs.nativelib.Jvm;
import jfs.nativelib.NativeLibrary;

/**
 * The way into {@code java.net}'s internals that strong encapsulation leaves open: a lookup that may access every member
 * of every class, which the agent gives or the native library fetches. Without either there is none.
 */
public final class JdkAccess {

    /** Who can get at the lookup when it is needed. */
    public interface Giver {
        /**
         * Called once at most, by the first thread that needs it.
         *
         * @return {@code MethodHandles.Lookup.IMPL_LOOKUP}
         */
        MethodHandles.Lookup trustedLookup() throws ReflectiveOperationException;
    }

    private static Giver giver;
    private static MethodHandles.Lookup trusted;
    private static String reason;

    private JdkAccess() {
    }

    /** For the agent, which can open the package of {@link MethodHandles.Lookup}. Before the first JFS socket. */
    public static synchronized void give(Giver agent) {
        giver = agent;
    }

    /** The lookup, or null if {@link #unavailable()} has a reason. */
    public static synchronized MethodHandles.Lookup lookup() {
        if (trusted == null && reason == null) {
            find();
        }
        return trusted;
    }

    private static void find() {
        if (giver != null) {
            try {
                trusted = giver.trustedLookup();
                return;
            } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
                // perhaps the native library can
            }
        }
        reason = NativeLibrary.unavailable();
        if (reason == null) {
            trusted = Jvm.trustedLookup();
            reason = trusted != null ? null : "this JVM has no MethodHandles.Lookup.IMPL_LOOKUP";
        }
    }

    /** Null if there is a lookup, else why not, in one line. */
    public static String unavailable() {
        return lookup() != null ? null : reason;
    }
}
