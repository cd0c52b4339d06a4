package jfs;

import java.util.Map;
import java.util.Properties;
import jfs.config.Settings;
import jfs.nativelib.NativeLibrary;
import jfs.negotiation.Hosts;
import jfs.negotiation.Negotiator;
import jfs.negotiation.Rules;
import jfs.stat.Stats;
import jfs.transport.tcp.TcpEnd;
import jfs.transport.tcp.TcpSocket;

/**
 * JFS in this process: its settings, read at once, and what its sockets stand on, which is made for the first of them.
 * Most JVMs that an agent in JAVA_TOOL_OPTIONS comes into never make one.
 */
final class Installation {

    private static Installation instance;

    private final Settings settings;
    private final Rules rules;
    private final Hosts hosts;
    private volatile Ground ground;

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
                throw new IllegalStateException(
                        "JFS: in use in this JVM already, its settings can't be changed any more");
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
        // Installing may ask for it already, to look into java.net.
        NativeLibrary.lookIn(settings.nativeDir(), settings.sciLibrary(), settings.mxLibrary());
        return settings;
    }

    private Installation(Settings settings, Rules rules) {
        this.settings = settings;
        this.rules = rules;
        this.hosts = Hosts.read(settings, rules);
        if (settings.log() != Settings.Log.OFF) {
            Stats.log(settings.log()); // now: that there is never a socket of ours is what the user wants to know
        }
    }

    private Ground ground() {
        Ground it = ground;
        if (it == null) {
            synchronized (this) {
                it = ground;
                if (it == null) {
                    it = ground = Ground.prepare(settings, rules, hosts);
                }
            }
        }
        return it;
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
    TcpEnd newTcpSocket(TcpSocket.Use use) {
        return ground().newTcpSocket(use);
    }
}
