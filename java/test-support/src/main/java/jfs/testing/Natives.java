package jfs.testing;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import jfs.nativelib.NativeLibrary;

/**
 * The native libraries of a test's JVM. The system property {@code jfs.native.dir} names their folder. The property
 * {@code mx.library} names the MX library as the setting {@code jfs.mx.library} does; without it the library is the shim.
 */
public final class Natives {

    private Natives() {
    }

    /** Loads the libraries if this JVM has not loaded them yet. Fails if they can't be loaded. */
    public static void load() {
        NativeLibrary.lookIn(Path.of(System.getProperty("jfs.native.dir")), "shim", System.getProperty("mx.library", "shim"));
        assertNull(NativeLibrary.unavailable());
    }

    /** The same. Skips the test if MX is not available, as on a system without UCX. */
    public static void assumeMx() {
        load();
        String reason = NativeLibrary.mxUnavailable();
        assumeTrue(reason == null, "MX is not available: " + reason);
    }
}
