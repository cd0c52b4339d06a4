package jfs;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketImplFactory;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import jfs.config.Permissions;
import jfs.config.Settings;
import jfs.management.Management;
import jfs.nio.Channels;
import jfs.stat.SocketsMXBean;
import jfs.stat.Stats;
import jfs.transport.tcp.JavaNet;
import jfs.transport.tcp.JdkAccess;
import jfs.transport.tcp.JdkSocket;
import jfs.transport.tcp.SocksSettings;
import jfs.transport.tcp.TcpSocket;

/**
 * Makes JFS sockets. Both factories of {@code java.net} must be set, before the program makes sockets:
 *
 * <pre>
 * Socket.setSocketImplFactory(new jfs.JFSSocketImplFactory());
 * ServerSocket.setSocketFactory(new jfs.JFSSocketImplFactory());
 * </pre>
 *
 * which is what {@link #install()} does. The factories make sockets only: they do not install JFS's provider of channels and selectors
 * ({@code jfs.nio}), and {@link #install()} does. All instances share this process's settings and negotiation.
 *
 * <p>Works wherever Java does. Without the native library (as on another platform) all connections stay on TCP.
 *
 * <p>Safe for use by any thread. {@link #createSocketImpl()} makes no system call.
 */
public final class JFSSocketImplFactory implements SocketImplFactory {

    /** A listening socket is created differently: SO_REUSEADDR, its set of options. */
    private enum Role {
        CLIENT, SERVER, UNKNOWN
    }

    /** Whether the log has said that a security manager denies JFS what it needs. */
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private static boolean installed;

    private final Installation installation;
    private final Role role;
    private final boolean late;
    /** Not static, so that it is made after {@link #refuseSecurityManager}: a security manager may refuse it. */
    private final StackWalker callers =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE); // without it JDK 25 gives no method descriptors

    /**
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value; the one-line message
     *             names it, its value and what is allowed
     * @throws IllegalStateException if there is a security manager (before JDK 24)
     */
    public JFSSocketImplFactory() {
        this(installation(), Role.UNKNOWN, false);
    }

    private static Installation installation() {
        refuseSecurityManager();
        return Installation.current();
    }

    private JFSSocketImplFactory(Installation installation, Role role, boolean late) {
        this.installation = installation;
        this.role = role;
        this.late = late;
        if (Permissions.mayBeDeniedLater()) {
            JdkAccess.prepareForSecurityManager();
        }
    }

    /**
     * Sets both factories. If there is a factory already, the call fails, or replaces that factory if {@code jfs.install} says so. If
     * {@code jfs.nio} is on, the program's channels and selectors become JFS's too, unless {@link Stats#channelsUnavailable()} has a
     * reason.
     *
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value
     * @throws IllegalStateException if a factory is installed already, JFS's or another one, or if there is a
     *             security manager (before JDK 24); nothing has changed then, and the one-line message names the cause
     */
    public static void install() {
        install(Map.of());
    }

    /**
     * Sets both factories, as {@link #install()} does.
     *
     * @param settings some settings by name ({@code jfs.log}), which come before system properties and environment
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value
     * @throws IllegalStateException as {@link #install()} does, and if there are settings and JFS is in use already,
     *             with others; nothing has changed then
     */
    public static void install(Map<String, String> settings) {
        install(settings, false);
        installChannels();
    }

    /**
     * Sets both factories, as {@link #install()} does, and leaves channels and selectors to {@link #installChannels()}. For a launcher,
     * whose program's class path may name another provider, and is not known yet.
     *
     * @throws IllegalArgumentException as {@link #install()} does
     * @throws IllegalStateException as {@link #install()} does
     */
    public static void installSockets() {
        install(Map.of(), false);
    }

    /**
     * Makes JFS's provider of channels and selectors the default one, if {@link #installSockets()} has installed the factories and
     * {@code jfs.nio} is on. Where that can't be done, and as long as it was not done, {@link Stats#channelsUnavailable()} has the reason.
     * Only the first such call has an effect.
     */
    public static synchronized void installChannels() {
        if (installed && Installation.current().settings().nio()) {
            Installation installation = Installation.current();
            Channels.install(installation.settings(), installation);
        }
    }

    /**
     * Sets both factories, as {@link #install(Map)} does, in a program that may have sockets already. The program gets JFS
     * sockets from now on. A listening socket that it has already goes on accepting the JDK's sockets. A listening socket of
     * a factory that is replaced can't accept any more.
     *
     * <p>Subclasses of {@link ServerSocket}, such as JSSE's, stay on the JDK's sockets. They make the {@link Socket} into
     * which they accept. {@code java.net} throws if that socket is JFS's and the listening socket, which is older, is not.
     *
     * @param settings as for {@link #install(Map)}
     * @throws IllegalArgumentException as {@link #install(Map)} does
     * @throws IllegalStateException as {@link #install(Map)} does, and if the JDK's own sockets can't be reached
     */
    public static void installLate(Map<String, String> settings) {
        install(settings, true);
        installChannels();
        Management.look(); // the program may have its MBean server already
    }

    /**
     * Registers JFS's MXBean ({@link SocketsMXBean}) now, for a program that wants to use it at once. If the JVM has no platform MBean
     * server so far, this makes it. A program need not call this: JFS registers the MXBean by itself some seconds after there is a server.
     *
     * @throws IllegalStateException if this Java runtime has no module java.management, or its MBean server refuses; the one-line message
     *             names the cause
     */
    public static void registerMXBean() {
        Management.register();
    }

    private static synchronized void install(Map<String, String> settings, boolean late) {
        if (installed) {
            throw new IllegalStateException("jfs: already installed in this JVM");
        }
        refuseSecurityManager();
        Settings wanted = Installation.settings(settings);
        if (isAnyFactorySet()) {
            refuse(wanted.install() == Settings.Install.REPLACE);
        }
        if (late && JdkSocket.unavailable() != null) {
            throw new IllegalStateException(
                    "jfs: can't be installed in a program that runs: " + JdkSocket.unavailable());
        }
        Installation installation = Installation.with(wanted);
        set(new JFSSocketImplFactory(installation, Role.CLIENT, late),
                new JFSSocketImplFactory(installation, Role.SERVER, late));
        installed = true;
    }

    /**
     * Throws if there is a security manager. It would check what JFS does for a socket by the program's permissions, which are
     * not meant for that.
     */
    private static void refuseSecurityManager() {
        String manager = Permissions.securityManager();
        if (manager != null) {
            throw new IllegalStateException("jfs: can't be installed, this JVM has a security manager (" + manager
                    + "); to use JFS, start this JVM without one (no -Djava.security.manager)");
        }
    }

    /** Whether {@link #install} has set the factories of this JVM. */
    public static synchronized boolean isInstalled() {
        return installed;
    }

    @SuppressWarnings("deprecation") // the setters are deprecated since 17, without a replacement
    private static boolean isAnyFactorySet() {
        try {
            ServerSocket.setSocketFactory(null); // throws if a factory is set, otherwise changes nothing
            Socket.setSocketImplFactory(null);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void refuse(boolean exceptForeign) {
        refuseWhatCantBeSeen();
        refuse("Socket", JavaNet.clientFactory(), exceptForeign);
        refuse("ServerSocket", JavaNet.serverFactory(), exceptForeign);
    }

    private static void refuseWhatCantBeSeen() {
        if (JavaNet.unavailable() != null) {
            throw new IllegalStateException("jfs: can't be installed, this JVM has another factory already, and whose "
                    + "it is can't be seen: " + JavaNet.unavailable());
        }
    }

    private static void refuse(String whose, SocketImplFactory present, boolean exceptForeign) {
        if (present instanceof JFSSocketImplFactory) {
            throw new IllegalStateException("jfs: already installed in this JVM");
        }
        if (present != null && !exceptForeign) {
            throw new IllegalStateException("jfs: can't be installed, this JVM has another " + whose + " factory: "
                    + present.getClass().getName() + " (jfs.install=replace would replace it)");
        }
    }

    @SuppressWarnings("deprecation")
    private static void set(JFSSocketImplFactory client, JFSSocketImplFactory server) {
        try {
            Socket.setSocketImplFactory(client); // first, because a JFS listener needs it, and one of the JDK's does not
            ServerSocket.setSocketFactory(server);
        } catch (IOException e) {
            refuseWhatCantBeSeen(); // another thread has set one since isAnyFactorySet()
            JavaNet.setFactories(client, server);
        }
    }

    /**
     * Why no connection of this process can be fast, so that all stay on TCP.
     *
     * @return null if connections can be fast, else the reason in one line
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value
     */
    public static String unavailable() {
        return Installation.current().environment().unavailable();
    }

    @Override
    public SocketImpl createSocketImpl() {
        boolean server = role == Role.SERVER || role == Role.UNKNOWN && isForServers();
        TcpSocket.Use use = server ? TcpSocket.Use.SERVER
                : isWithoutProxy() ? TcpSocket.Use.DIRECT_CLIENT : TcpSocket.Use.CLIENT;
        return late && isForServersSubclass() || isDenied() ? JdkSocket.plain(use) : new JFSSocketImpl(installation, use);
    }

    /**
     * Whether a security manager that was set after the installation keeps JFS from making sockets. A socket into which a
     * JFS listener accepts has to be JFS's all the same, or {@code java.net} throws.
     */
    private boolean isDenied() {
        String why = Permissions.denied();
        if (why == null || JdkSocket.unavailable() != null) {
            return false;
        }
        if (TOLD.compareAndSet(false, true)) {
            Stats.unavailable(why);
        }
        return !callers.walk(frames -> frames
                .filter(frame -> frame.getClassName().startsWith("java.net."))
                .findFirst()
                .filter(frame -> frame.getMethodName().equals("implAccept"))
                .isPresent());
    }

    /**
     * Whether the socket is for {@code new Socket(Proxy.NO_PROXY)}. Only that constructor of Socket calls the factory itself.
     * The stack is walked only where a proxy may be named, because a walk costs a few per cent of a connection.
     */
    private boolean isWithoutProxy() {
        return SocksSettings.mayNameAProxy() && callers.walk(frames -> frames
                .filter(frame -> frame.getClassName().startsWith("java.net."))
                .findFirst()
                .filter(frame -> frame.getMethodName().equals("<init>")
                        && frame.getDescriptor().equals("(Ljava/net/Proxy;)V"))
                .isPresent());
    }

    /** Whether the socket is for a subclass of ServerSocket, or is made by one, most likely to accept into it. */
    private boolean isForServersSubclass() {
        return callers.walk(frames -> frames
                .map(StackWalker.StackFrame::getDeclaringClass)
                .anyMatch(c -> c != ServerSocket.class && ServerSocket.class.isAssignableFrom(c)));
    }

    /** Whether the socket is to listen. Both kinds of socket call the factory in the same way, and one instance may be set for both. */
    private boolean isForServers() {
        if (JavaNet.unavailable() == null) {
            if (JavaNet.serverFactory() != this) {
                return false;
            }
            if (JavaNet.clientFactory() != this) {
                return true;
            }
        }
        return callers.walk(frames -> frames
                .filter(f -> f.getClassName().equals(ServerSocket.class.getName()))
                .findFirst() // an accept makes the socket of a connection
                .filter(f -> !f.getMethodName().equals("implAccept"))
                .isPresent());
    }
}
