package jfs;

import jfs.config.Settings;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Sisci;
import jfs.negotiation.Negotiator;
import jfs.spi.Transport;
import jfs.stat.Stats;
import jfs.transport.sci.SciTransport;
import jfs.transport.tcp.JavaNet;
import jfs.transport.tcp.JdkSocket;

/** JFS in this process: its settings, whether it can work, and the one negotiation. Made at first use. */
final class Installation {

    /** At least what loopback TCP takes with no reader: 3,932,160 bytes (R7). */
    private static final int OVERFLOW_BYTES = 4 << 20;

    private static Installation instance;

    private final Settings settings;
    private final String unavailable;
    private final Negotiator negotiator;

    /** @throws IllegalArgumentException if a setting is wrong; then nothing has been made */
    static synchronized Installation get() {
        if (instance == null) {
            instance = new Installation(Settings.read(System.getProperties(), System.getenv()));
        }
        return instance;
    }

    private Installation(Settings settings) {
        this.settings = settings;
        Stats.logLevel(settings.log());
        unavailable = reach(settings);
        if (unavailable != null) {
            Stats.unavailable(unavailable);
            negotiator = null;
        } else {
            Sisci.allowUsers(settings.allowedUsers().stream().mapToInt(Integer::intValue).toArray());
            Transport sci = !settings.transports().contains(SciTransport.NAME) ? null
                    : new SciTransport(new SciTransport.Sizes(settings.bufferSize(), OVERFLOW_BYTES,
                            settings.longMin(), settings.pollMicros()));
            negotiator = new Negotiator(settings, sci);
        }
    }

    private static String reach(Settings settings) {
        String reason = NativeLibrary.load(settings.nativeDir());
        if (reason == null) {
            reason = JdkSocket.unavailable();
        }
        if (reason == null) {
            try {
                JavaNet.clientFactory();
            } catch (LinkageError e) {
                reason = String.valueOf(e.getCause());
            }
        }
        return reason;
    }

    Settings settings() {
        return settings;
    }

    String unavailable() {
        return unavailable;
    }

    Negotiator negotiator() {
        return negotiator;
    }
}
