package jfs;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketImplFactory;
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

    private final Installation installation;
    private final Role role;

    /**
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value; the one-line message
     *             names it, its value and what is allowed
     */
    public JFSSocketImplFactory() {
        this(Role.UNKNOWN);
    }

    private JFSSocketImplFactory(Role role) {
        installation = Installation.get();
        this.role = role;
    }

    /**
     * Sets both factories. A factory that is there already is refused, or replaced if {@code jfs.install} says so.
     *
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value
     * @throws IllegalStateException if a factory is installed already, JFS's or somebody else's; nothing has changed
     *             then, and the one-line message says whose it is
     */
    @SuppressWarnings("deprecation") // the setters are, since 17, with nothing in their place
    public static synchronized void install() {
        boolean replace = Installation.get().settings().install() == Settings.Install.REPLACE;
        refuseSecond("Socket", JavaNet.clientFactory(), replace);
        refuseSecond("ServerSocket", JavaNet.serverFactory(), replace);
        JFSSocketImplFactory client = new JFSSocketImplFactory(Role.CLIENT);
        JFSSocketImplFactory server = new JFSSocketImplFactory(Role.SERVER);
        if (JavaNet.unavailable() == null) {
            JavaNet.setFactories(client, server);
            return;
        }
        try {
            ServerSocket.setSocketFactory(server);
            Socket.setSocketImplFactory(client);
        } catch (IOException e) {
            throw new IllegalStateException("JFS: can't be installed, this JVM has another factory already, and whose it "
                    + "is can't be seen: " + JavaNet.unavailable(), e);
        }
    }

    private static void refuseSecond(String whose, SocketImplFactory present, boolean replace) {
        if (present instanceof JFSSocketImplFactory) {
            throw new IllegalStateException("JFS: already installed in this JVM");
        }
        if (present != null && !replace) {
            throw new IllegalStateException("JFS: can't be installed, this JVM has another " + whose + " factory: "
                    + present.getClass().getName() + " (jfs.install=replace would replace it)");
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
