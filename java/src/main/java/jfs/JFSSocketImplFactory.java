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

    /** Whether the log has said that a security manager denies JFS what it needs. */
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private static boolean installed;

    private final Installation installation;
    private final Role role;
    private final boolean late;
    /** An instance's, so that it is made after {@link #refuseSecurityManager}: a security manager may refuse it. */
    private final StackWalker callers =
            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE); // without it JDK 25 tells no descriptor

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
        return Installation.get();
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
     * Sets both factories. A factory that is there already is refused, or replaced if {@code jfs.install} says so.
     *
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value
     * @throws IllegalStateException if a factory is installed already, JFS's or somebody else's, or if there is a
     *             security manager (before JDK 24); nothing has changed then, and the one-line message says what it is
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
    }

    /**
     * Sets both factories in a program that may have sockets already, as {@link #install(Map)} does: it gets JFS sockets
     * from now on. A listening socket that it has goes on accepting the JDK's; one of a factory that is replaced can't
     * accept any more.
     *
     * <p>Subclasses of {@link ServerSocket}, such as JSSE's, stay on the JDK's sockets: they make the {@link Socket}
     * that they accept into, and {@code java.net} throws if that one is JFS's and their own, which is older, is not.
     *
     * @param settings as for {@link #install(Map)}
     * @throws IllegalArgumentException as {@link #install(Map)} does
     * @throws IllegalStateException as {@link #install(Map)} does, and if the JDK's own sockets can't be reached
     */
    public static void installLate(Map<String, String> settings) {
        install(settings, true);
    }

    private static synchronized void install(Map<String, String> settings, boolean late) {
        if (installed) {
            throw new IllegalStateException("JFS: already installed in this JVM");
        }
        refuseSecurityManager();
        Settings wanted = Installation.settings(settings);
        if (isAnyFactorySet()) {
            refuse(wanted.install() == Settings.Install.REPLACE);
        }
        if (late && JdkSocket.unavailable() != null) {
            throw new IllegalStateException(
                    "JFS: can't be installed in a program that runs: " + JdkSocket.unavailable());
        }
        Installation installation = Installation.with(wanted);
        set(new JFSSocketImplFactory(installation, Role.CLIENT, late),
                new JFSSocketImplFactory(installation, Role.SERVER, late));
        installed = true;
    }

    /** What JFS does for a socket would be done with the program's permissions, which are not meant for that. */
    private static void refuseSecurityManager() {
        String manager = Permissions.securityManager();
        if (manager != null) {
            throw new IllegalStateException("JFS: can't be installed, this JVM has a security manager (" + manager
                    + "); to use JFS, start this JVM without one (no -Djava.security.manager)");
        }
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
        refuseWhatCantBeSeen();
        refuse("Socket", JavaNet.clientFactory(), exceptForeign);
        refuse("ServerSocket", JavaNet.serverFactory(), exceptForeign);
    }

    private static void refuseWhatCantBeSeen() {
        if (JavaNet.unavailable() != null) {
            throw new IllegalStateException("JFS: can't be installed, this JVM has another factory already, and whose "
                    + "it is can't be seen: " + JavaNet.unavailable());
        }
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
            Socket.setSocketImplFactory(client); // first: a listener of the other kind does without it, ours does not
            ServerSocket.setSocketFactory(server);
        } catch (IOException e) {
            refuseWhatCantBeSeen(); // set since we looked
            JavaNet.setFactories(client, server);
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
        boolean server = role == Role.SERVER || role == Role.UNKNOWN && isForServers();
        TcpSocket.Use use = server ? TcpSocket.Use.SERVER
                : isWithoutProxy() ? TcpSocket.Use.DIRECT_CLIENT : TcpSocket.Use.CLIENT;
        return late && isForServersSubclass() || isDenied() ? JdkSocket.plain(use) : new JFSSocketImpl(installation, use);
    }

    /**
     * Whether a security manager, set since installation, keeps JFS from making sockets. One that a listener of JFS's
     * accepts into has to be JFS's all the same, or {@code java.net} throws.
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
     * Whether it is for {@code new Socket(Proxy.NO_PROXY)}, the only constructor of Socket that asks by itself. Looked for
     * only where it matters, since a walk costs a few per cent of a connection.
     */
    private boolean isWithoutProxy() {
        return SocksSettings.mayNameAProxy() && callers.walk(frames -> frames
                .filter(frame -> frame.getClassName().startsWith("java.net."))
                .findFirst()
                .filter(frame -> frame.getMethodName().equals("<init>")
                        && frame.getDescriptor().equals("(Ljava/net/Proxy;)V"))
                .isPresent());
    }

    /** Whether the socket is one of a kind of ServerSocket, or made by one, most likely to accept into it. */
    private boolean isForServersSubclass() {
        return callers.walk(frames -> frames
                .map(StackWalker.StackFrame::getDeclaringClass)
                .anyMatch(c -> c != ServerSocket.class && ServerSocket.class.isAssignableFrom(c)));
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
        return callers.walk(frames -> frames
                .filter(f -> f.getClassName().equals(ServerSocket.class.getName()))
                .findFirst() // accept, too, makes a connection's end
                .filter(f -> !f.getMethodName().equals("implAccept"))
                .isPresent());
    }
}
