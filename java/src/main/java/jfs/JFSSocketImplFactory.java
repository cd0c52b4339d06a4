package jfs;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketImplFactory;
import java.util.Map;
import jfs.config.Settings;
import jfs.transport.tcp.JavaNet;

/**
 * Makes JFS sockets. Both factories of {@code java.net} must be set, before the program makes sockets:
 *
 * <pre>
 * Socket.setSocketImplFactory(new jfs.JFSSocketImplFactory());
 * ServerSocket.setSocketFactory(new jfs.JFSSocketImplFactory());
 * </pre>
 *
 * which is what {@link #install()} does. All instances share this process's settings and negotiation.
 *
 * <p>Works wherever Java does: without the native library (another platform, say) all connections are TCP.
 *
 * <p>Safe for use by any thread. {@link #createSocketImpl()} makes no system call.
 */
public final class JFSSocketImplFactory implements SocketImplFactory {

    /** A listening socket is created differently: SO_REUSEADDR, its set of options. */
    private enum Role {
        CLIENT, SERVER, UNKNOWN
    }

    private static boolean installed;

    private final Installation installation;
    private final Role role;

    /**
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value; the one-line message
     *             names it, its value and what is allowed
     */
    public JFSSocketImplFactory() {
        this(Installation.get(), Role.UNKNOWN);
    }

    private JFSSocketImplFactory(Installation installation, Role role) {
        this.installation = installation;
        this.role = role;
    }

    /**
     * Sets both factories. A factory that is there already is refused, or replaced if {@code jfs.install} says so.
     *
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value
     * @throws IllegalStateException if a factory is installed already, JFS's or somebody else's; nothing has changed
     *             then, and the one-line message says whose it is
     */
    public static void install() {
        install(Map.of());
    }

    /**
     * Sets both factories, as {@link #install()} does.
     *
     * @param settings some settings by name ({@code jfs.log}), which come before system properties and environment
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value
     * @throws IllegalStateException if a factory is installed already, JFS's or somebody else's, or if there are
     *             settings and JFS is in use already, with others; nothing has changed then
     */
    public static synchronized void install(Map<String, String> settings) {
        if (installed) {
            throw new IllegalStateException("JFS: already installed in this JVM");
        }
        Settings wanted = Installation.settings(settings);
        if (isAnyFactorySet()) {
            refuse(wanted.install() == Settings.Install.REPLACE);
        }
        Installation installation = Installation.with(wanted);
        set(new JFSSocketImplFactory(installation, Role.CLIENT), new JFSSocketImplFactory(installation, Role.SERVER));
        installed = true;
    }

    /** Whether {@link #install} has set the factories of this JVM. */
    public static synchronized boolean isInstalled() {
        return installed;
    }

    @SuppressWarnings("deprecation") // the setters are, since 17, with nothing in their place
    private static boolean isAnyFactorySet() {
        try {
            ServerSocket.setSocketFactory(null); // throws if one is set, else changes nothing
            Socket.setSocketImplFactory(null);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void refuse(boolean exceptForeign) {
        if (JavaNet.unavailable() != null) {
            throw new IllegalStateException("JFS: can't be installed, this JVM has another factory already, and whose it "
                    + "is can't be seen: " + JavaNet.unavailable());
        }
        refuse("Socket", JavaNet.clientFactory(), exceptForeign);
        refuse("ServerSocket", JavaNet.serverFactory(), exceptForeign);
    }

    private static void refuse(String whose, SocketImplFactory present, boolean exceptForeign) {
        if (present instanceof JFSSocketImplFactory) {
            throw new IllegalStateException("JFS: already installed in this JVM");
        }
        if (present != null && !exceptForeign) {
            throw new IllegalStateException("JFS: can't be installed, this JVM has another " + whose + " factory: "
                    + present.getClass().getName() + " (jfs.install=replace would replace it)");
        }
    }

    @SuppressWarnings("deprecation")
    private static void set(JFSSocketImplFactory client, JFSSocketImplFactory server) {
        try {
            ServerSocket.setSocketFactory(server);
            Socket.setSocketImplFactory(client);
        } catch (IOException e) {
            JavaNet.setFactories(client, server); // to be replaced, and can be, or it had been refused
        }
    }

    /**
     * Why no connection of this process can be fast: all are TCP then.
     *
     * @return null if they can, else one line
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value
     */
    public static String unavailable() {
        return Installation.get().unavailable();
    }

    @Override
    public SocketImpl createSocketImpl() {
        return new JFSSocketImpl(installation, role == Role.SERVER || role == Role.UNKNOWN && isForServers());
    }

    /** Both kinds of socket ask in the same way; a program may have set one instance for both. */
    private boolean isForServers() {
        if (JavaNet.unavailable() == null) {
            if (JavaNet.serverFactory() != this) {
                return false;
            }
            if (JavaNet.clientFactory() != this) {
                return true;
            }
        }
        return StackWalker.getInstance().walk(frames -> frames
                .filter(f -> f.getClassName().equals(ServerSocket.class.getName()))
                .findFirst() // accept, too, makes a connection's end
                .filter(f -> !f.getMethodName().equals("implAccept"))
                .isPresent());
    }
}
