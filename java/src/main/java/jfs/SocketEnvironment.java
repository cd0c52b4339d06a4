package jfs;

import jfs.config.Permissions;
import jfs.config.Settings;
import jfs.config.Transports;
import jfs.connection.Environment;
import jfs.connection.IdleWatch;
import jfs.management.Management;
import jfs.monitor.ConnectionTable;
import jfs.nativelib.NativeLibrary;
import jfs.negotiation.Negotiator;
import jfs.negotiation.handshake.remote.Hosts;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Rules;
import jfs.stat.Stats;
import jfs.transport.BuiltIn;
import jfs.transport.tcp.JdkSocket;
import jfs.transport.tcp.NioSocket;
import jfs.transport.tcp.TcpSocket;

/** What all sockets of this process need: the loaded libraries, the access to the JDK's internals, and the one negotiation. */
final class SocketEnvironment implements Environment, Runnable {

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final int LOOK_SECONDS_MAX = 16;

    /** The settings for which the transports were found. Guarded by the class, as {@code found} is. */
    private static Settings foundFor;
    private static Transports found;

    private final Settings settings;
    private final String unavailable;
    private final boolean reachesJdk;
    private final Negotiator negotiator;
    /** When to look again whether somebody manages this JVM ({@link System#nanoTime}), and the seconds after that. Written under this. */
    private volatile long nextLook = System.nanoTime() + SECOND_NANOS;
    private int lookSeconds = 1;
    /** Whether {@link #run} has to look in any case, because it was time for that when a connection began. */
    private volatile boolean handedOver;
    /** Made for the first fast path. Written under this. */
    private volatile IdleWatch idleWatch;

    /**
     * @param unavailable why no connection can be fast, or null
     * @param reachesJdk whether the TCP sockets below JFS's sockets are the JDK's own
     */
    SocketEnvironment(Settings settings, String unavailable, boolean reachesJdk, Negotiator negotiator) {
        this.settings = settings;
        this.unavailable = unavailable;
        this.reachesJdk = reachesJdk;
        this.negotiator = negotiator;
    }

    /** Loads the native library and the transports that connections may use. Called on a thread of the program that makes a socket. */
    static SocketEnvironment prepare(Settings settings, Rules rules, Hosts hosts) {
        Transports transports = transports(settings);
        // JdkSocket.unavailable() is called in any case, and before the native library is loaded. An agent, if there is one, then also
        // allows native access, before the JVM would warn of it.
        boolean wantsJdk = settings.tcp() != Settings.Tcp.NIO || Permissions.denied() != null; // a security manager would refuse channels
        boolean reachesJdk = JdkSocket.unavailable() == null && wantsJdk;
        String noNatives = NativeLibrary.unavailable();
        String unavailable = noNatives != null || reachesJdk ? noNatives : NioSocket.descriptorUnavailable();
        if (unavailable != null) {
            Stats.unavailable(unavailable);
        }
        ConnectionTable.began(settings.upgradeAfter(), unavailable, Stats.channelsUnavailable());
        Policy policy = Policy.of(transports, rules, unavailable);
        return new SocketEnvironment(settings, unavailable, reachesJdk, new Negotiator(settings, policy, hosts));
    }

    /**
     * Finds the transports, once for the settings in use, and says where their libraries are.
     *
     * @throws IllegalArgumentException if a setting of a transport is wrong
     */
    static synchronized Transports transports(Settings settings) {
        if (foundFor == settings) {
            return found;
        }
        Transports transports = Transports.read(settings, BuiltIn.TRANSPORTS);
        if (settings.concernTransports()) {
            BuiltIn.lookForLibrariesIn(settings.nativeDir(), transports.settings());
        } else {
            NativeLibrary.lookIn(settings.nativeDir());
        }
        found = transports;
        foundFor = settings;
        return transports;
    }

    @Override
    public Settings settings() {
        return settings;
    }

    @Override
    public Negotiator negotiator() {
        return negotiator;
    }

    @Override
    public IdleWatch idleWatch() {
        IdleWatch it = idleWatch;
        if (it == null) {
            synchronized (this) {
                it = idleWatch;
                if (it == null) {
                    it = idleWatch = new IdleWatch(negotiator.loop(), this);
                }
            }
        }
        return it;
    }

    @Override
    public boolean pollsTcp() {
        return settings.pollMicros() != 0 && unavailable == null;
    }

    /**
     * Looks whether there is an MBean server by now, so also when a JMX client connects. The negotiation's thread does it if that one is
     * running: the first look loads classes, which takes milliseconds.
     */
    @Override
    public void connectionBegan() {
        try {
            if (isTimeToLook()) {
                handedOver = true;
                if (!negotiator.executeIfRunning(this)) {
                    run();
                }
            }
        } catch (RuntimeException | Error e) { // the program's connection must not fail
            // Another connection is the next occasion.
        }
    }

    /**
     * Looks whether there is an MBean server by now, if it is time for that. The watch over fast connections calls this at each of its
     * looks. Does not block, and throws nothing.
     */
    @Override
    public void run() {
        try {
            if (handedOver || isTimeToLook()) {
                handedOver = false;
                if (!Management.isDone()) {
                    Management.look();
                }
            }
        } catch (RuntimeException | Error e) { // also of the loading of that class
            // The next look tries again.
        }
    }

    /** True for one caller a second after the first socket, then two seconds later, and so on, up to sixteen. */
    private boolean isTimeToLook() {
        if (System.nanoTime() - nextLook < 0) {
            return false;
        }
        synchronized (this) {
            if (System.nanoTime() - nextLook < 0) {
                return false;
            }
            lookSeconds = Math.min(2 * lookSeconds, LOOK_SECONDS_MAX);
            nextLook = System.nanoTime() + lookSeconds * SECOND_NANOS;
            return true;
        }
    }

    /** Why no connection of this process can be fast, or null. */
    String unavailable() {
        return unavailable;
    }

    boolean reachesJdk() {
        return reachesJdk;
    }

    /** Makes the TCP socket for a JFS socket. It has no descriptor yet. It is the JDK's own wherever that can be reached. */
    TcpSocket newTcpSocket(TcpSocket.Use use) {
        return reachesJdk ? JdkSocket.of(use) : NioSocket.of(use);
    }
}
