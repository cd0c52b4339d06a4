package jfs;

import java.util.Map;
import java.util.Properties;
import jfs.config.Settings;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Sisci;
import jfs.negotiation.Negotiator;
import jfs.negotiation.Policy;
import jfs.negotiation.Rules;
import jfs.spi.Transport;
import jfs.stat.Stats;
import jfs.transport.sci.SciTransport;
import jfs.transport.tcp.JdkSocket;
import jfs.transport.tcp.NioSocket;
import jfs.transport.tcp.TcpSocket;

/**
 * JFS in this process: its settings, read at once, and what its sockets stand on, which is made for the first of them.
 * Most JVMs that an agent in JAVA_TOOL_OPTIONS comes into never make one.
 */
final class Installation {

    /** At least what loopback TCP takes with no reader: 3,932,160 bytes (R7). */
    private static final int OVERFLOW_BYTES = 4 << 20;

    private static Installation instance;

    private final Settings settings;
    private final Rules rules;
    private volatile Ground ground;

    /**
     * What sockets stand on.
     *
     * @param unavailable why no connection can be fast, or null
     * @param reachesJdk whether the JDK's own sockets serve under ours
     */
    private record Ground(String unavailable, boolean reachesJdk, Negotiator negotiator) {
    }

    /** @throws IllegalArgumentException if a setting is wrong; then nothing has been made */
    static synchronized Installation get() {
        return instance != null ? instance : with(settings(Map.of()));
    }

    /** The one that there is, else a new one with these settings. */
    static synchronized Installation with(Settings settings) {
        if (instance == null) {
            instance = new Installation(settings, settings.rules() == null ? Rules.NONE : Rules.read(settings.rules()));
        }
        return instance;
    }

    /**
     * The settings in use, or those that would be.
     *
     * @param preferred settings by name that come before system properties and environment
     * @throws IllegalArgumentException if a setting is wrong
     * @throws IllegalStateException if there are preferred ones, too late
     */
    static synchronized Settings settings(Map<String, String> preferred) {
        if (instance != null) {
            if (!preferred.isEmpty()) {
                throw new IllegalStateException("JFS: in use in this JVM already, its settings can't be changed any more");
            }
            return instance.settings;
        }
        Properties properties = System.getProperties();
        if (!preferred.isEmpty()) {
            properties = new Properties();
            properties.putAll(System.getProperties());
            properties.putAll(preferred);
        }
        Settings settings = Settings.read(properties, System.getenv());
        NativeLibrary.lookIn(settings.nativeDir()); // which may be asked for already when JFS is installed
        return settings;
    }

    private Installation(Settings settings, Rules rules) {
        this.settings = settings;
        this.rules = rules;
    }

    private Ground ground() {
        Ground it = ground;
        if (it == null) {
            synchronized (this) {
                it = ground;
                if (it == null) {
                    it = ground = prepare();
                }
            }
        }
        return it;
    }

    private Ground prepare() {
        Stats.logLevel(settings.log());
        boolean reachesJdk = settings.tcp() != Settings.Tcp.NIO && JdkSocket.unavailable() == null;
        String noNatives = NativeLibrary.unavailable();
        String unavailable = noNatives != null || reachesJdk ? noNatives : NioSocket.descriptorUnavailable();
        if (unavailable != null) {
            Stats.unavailable(unavailable);
        }
        Policy policy = new Policy(rules, settings.transports(), unavailable, NativeLibrary.mxUnavailable());
        boolean withSci = unavailable == null && settings.transports().contains(SciTransport.NAME);
        return new Ground(unavailable, reachesJdk, new Negotiator(settings, policy, withSci ? sci() : null));
    }

    private Transport sci() {
        int[] users = new int[settings.allowedUsers().size()];
        int i = 0;
        for (int user : settings.allowedUsers()) {
            users[i++] = user;
        }
        Sisci.allowUsers(users);
        return new SciTransport(new SciTransport.Sizes(settings.bufferSize(), OVERFLOW_BYTES, settings.longMin(),
                settings.pollMicros()));
    }

    Settings settings() {
        return settings;
    }

    /** Why no connection of this process can be fast, or null. */
    String unavailable() {
        return ground().unavailable();
    }

    Negotiator negotiator() {
        return ground().negotiator();
    }

    /** The kernel's socket under one of ours, not created yet: the JDK's own wherever it can be reached. */
    TcpSocket newTcpSocket(boolean server) {
        if (ground().reachesJdk()) {
            return server ? JdkSocket.server() : JdkSocket.client();
        }
        return server ? NioSocket.server() : NioSocket.client();
    }
}
