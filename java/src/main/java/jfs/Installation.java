package jfs;

import jfs.config.Settings;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Sisci;
import jfs.negotiation.Negotiator;
import jfs.negotiation.Policy;
import jfs.negotiation.Rules;
import jfs.spi.Transport;
import jfs.stat.Stats;
import jfs.transport.sci.SciTransport;
import jfs.transport.tcp.JavaNet;
import jfs.transport.tcp.JdkSocket;
import jfs.transport.tcp.TcpSocket;

/** JFS in this process: its settings, what it can reach, and the one negotiation. Made at first use. */
final class Installation {

    /** At least what loopback TCP takes with no reader: 3,932,160 bytes (R7). */
    private static final int OVERFLOW_BYTES = 4 << 20;

    private static Installation instance;

    private final Settings settings;
    private final String unavailable;
    private final boolean reachesJdk;
    private final Negotiator negotiator;

    /** @throws IllegalArgumentException if a setting is wrong; then nothing has been made */
    static synchronized Installation get() {
        if (instance == null) {
            Settings settings = Settings.read(System.getProperties(), System.getenv());
            instance = new Installation(settings, settings.rules() == null ? Rules.NONE : Rules.read(settings.rules()));
        }
        return instance;
    }

    private Installation(Settings settings, Rules rules) {
        this.settings = settings;
        Stats.logLevel(settings.log());
        unavailable = NativeLibrary.load(settings.nativeDir());
        String noJdk = jdkUnreachable();
        reachesJdk = noJdk == null && settings.tcp() != Settings.Tcp.NIO;
        if (unavailable != null) {
            Stats.unavailable(unavailable);
        }
        Policy policy = new Policy(rules, settings.transports(), unavailable, NativeLibrary.mxUnavailable());
        boolean withSci = unavailable == null && settings.transports().contains(SciTransport.NAME);
        negotiator = new Negotiator(settings, policy, withSci ? sci(settings) : null);
    }

    private static Transport sci(Settings settings) {
        Sisci.allowUsers(settings.allowedUsers().stream().mapToInt(Integer::intValue).toArray());
        return new SciTransport(new SciTransport.Sizes(settings.bufferSize(), OVERFLOW_BYTES, settings.longMin(),
                settings.pollMicros()));
    }

    private static String jdkUnreachable() {
        String reason = JdkSocket.unavailable();
        return reason != null ? reason : JavaNet.unavailable();
    }

    Settings settings() {
        return settings;
    }

    /** Why no connection of this process can be fast, or null. */
    String unavailable() {
        return unavailable;
    }

    Negotiator negotiator() {
        return negotiator;
    }

    /** The kernel's socket under one of ours, not created yet: the JDK's own wherever it can be reached. */
    TcpSocket newTcpSocket(boolean server) {
        return server ? JdkSocket.server() : JdkSocket.client();
    }
}
