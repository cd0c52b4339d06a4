package jfs.stat;

/**
 * Whether the program's channels and selectors are JFS's. Not in {@link Stats}, whose counters a starting JVM would load with it, which
 * takes 2 ms.
 */
public final class ChannelProvider {

    private static volatile boolean installed;
    private static volatile String unavailable;

    private ChannelProvider() {
    }

    /** Called once, before JFS's provider is installed, if {@code jfs.nio} is on. */
    public static void wanted() {
        unavailable = "JFS's provider is not installed; JFSSocketImplFactory.install() installs it, factories alone do not";
    }

    /** From now on the program's channels and selectors are JFS's. Called once at most. */
    public static void installed() {
        installed = true;
        unavailable = null;
    }

    /** Whether {@link #installed} was called. Then TCP channels are among {@link Stats#CONNECTIONS}. */
    public static boolean isInstalled() {
        return installed;
    }

    /** The program's channels stay the JDK's, or another provider's. Not in the log. */
    public static void unavailable(String reason) {
        installed = false;
        unavailable = reason;
    }

    static String unavailable() {
        return unavailable;
    }
}
