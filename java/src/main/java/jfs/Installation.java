package jfs;

import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import jfs.config.Settings;
import jfs.nativelib.NativeLibrary;
import jfs.negotiation.handshake.remote.Hosts;
import jfs.negotiation.policy.Rules;
import jfs.procfs.OutOfReach;
import jfs.stat.ChannelProvider;
import jfs.stat.Stats;
import jfs.transport.tcp.OtherConnections;

/**
 * JFS in this process: its settings, which are read at once, and the {@link SocketEnvironment}, which is made for the first socket.
 * With the agent in JAVA_TOOL_OPTIONS most JVMs never make a socket.
 */
final class Installation implements Callable<OutOfReach>, Supplier<SocketEnvironment> {

    private static Installation instance;

    private final Settings settings;
    private final Rules rules;
    private final Hosts hosts;
    private volatile SocketEnvironment environment;

    /** @throws IllegalArgumentException if a setting is wrong; then nothing has been made */
    static synchronized Installation current() {
        return instance != null ? instance : with(settings(Map.of()));
    }

    /** The present installation, or a new one with these settings if there is none. */
    static synchronized Installation with(Settings settings) {
        if (instance == null) {
            instance = new Installation(settings, settings.rules() == null ? Rules.NONE
                    : Rules.read(settings.rules(), SocketEnvironment.transports(settings).known()));
        }
        return instance;
    }

    /**
     * The settings in use, or if there is no installation yet, the settings that it would have.
     *
     * @param preferred settings by name that come before system properties and environment
     * @throws IllegalArgumentException if a setting is wrong
     * @throws IllegalStateException if there are preferred settings, but JFS is in use already
     */
    static synchronized Settings settings(Map<String, String> preferred) {
        if (instance != null) {
            if (!preferred.isEmpty()) {
                throw new IllegalStateException(
                        "jfs: in use in this JVM already, its settings can't be changed any more");
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
        // The installation may need the native library before the first socket, to find out which factories java.net has.
        if (settings.concernTransports()) {
            SocketEnvironment.transports(settings);
        } else { // most programs: no transport's class is loaded before the first socket
            NativeLibrary.lookIn(settings.nativeDir());
        }
        return settings;
    }

    private Installation(Settings settings, Rules rules) {
        this.settings = settings;
        this.rules = rules;
        this.hosts = Hosts.read(settings, rules);
        NativeLibrary.wantBlocks(settings.nativeBlocks());
        OutOfReach.use(this);
        if (settings.nio()) {
            ChannelProvider.wanted();
        }
        if (settings.log() != Settings.Log.OFF) {
            Stats.log(settings.log()); // now, because the user wants to know also if JFS never makes a socket
        }
    }

    /** Called when somebody asks for the connections out of reach. */
    @Override
    public OutOfReach call() {
        return OtherConnections.look();
    }

    /** For channels, which ask for it when the first one has connected or listens. */
    @Override
    public SocketEnvironment get() {
        return environment();
    }

    /** Made at first use. */
    SocketEnvironment environment() {
        SocketEnvironment it = environment;
        if (it == null) {
            synchronized (this) {
                it = environment;
                if (it == null) {
                    it = environment = SocketEnvironment.prepare(settings, rules, hosts);
                }
            }
        }
        return it;
    }

    Settings settings() {
        return settings;
    }
}
