package jfs;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketImplFactory;
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
 * <p>Safe for use by any thread. {@link #createSocketImpl()} makes no system call.
 */
public final class JFSSocketImplFactory implements SocketImplFactory {

    private final Installation installation;

    /**
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value; the one-line message
     *             names it, its value and what is allowed
     * @throws UnsupportedOperationException if the JDK's own sockets, which JFS needs underneath, can't be reached
     *             here; the one-line message says why (no native library for this platform, say)
     */
    public JFSSocketImplFactory() {
        installation = Installation.get();
        String reason = installation.unavailable();
        if (reason != null) {
            throw new UnsupportedOperationException("JFS can't be used here: " + reason);
        }
    }

    /**
     * Sets both factories. Where JFS can't work nothing is set: the program goes on with the JDK's own sockets, and
     * {@link #unavailable()} has the reason, which is also logged as {@code jfs.log} says.
     *
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value
     * @throws IllegalStateException if a factory is installed already, JFS's or somebody else's; nothing has changed
     *             then, and the one-line message says whose it is
     */
    @SuppressWarnings("deprecation") // the setters are, since 17, with nothing in their place
    public static synchronized void install() {
        if (Installation.get().unavailable() != null) {
            return;
        }
        refuseSecond("Socket", JavaNet.clientFactory());
        refuseSecond("ServerSocket", JavaNet.serverFactory());
        try {
            Socket.setSocketImplFactory(new JFSSocketImplFactory());
            ServerSocket.setSocketFactory(new JFSSocketImplFactory());
        } catch (IOException e) {
            throw new IllegalStateException("JFS: can't be installed: " + e.getMessage(), e);
        }
    }

    private static void refuseSecond(String whose, SocketImplFactory present) {
        if (present instanceof JFSSocketImplFactory) {
            throw new IllegalStateException("JFS: already installed in this JVM");
        }
        if (present != null) {
            throw new IllegalStateException("JFS: can't be installed, this JVM has another " + whose + " factory: "
                    + present.getClass().getName());
        }
    }

    /**
     * Why JFS can't work in this process.
     *
     * @return null if it can, else one line
     * @throws IllegalArgumentException if a {@code jfs.*} setting is unknown or has a bad value
     */
    public static String unavailable() {
        return Installation.get().unavailable();
    }

    @Override
    public SocketImpl createSocketImpl() {
        return new JFSSocketImpl(installation, isForServers());
    }

    /**
     * Both kinds of socket ask their factory in the same way, but a listening one is created differently
     * (SO_REUSEADDR, its set of options). Each kind has its own instance, unless somebody has set one for both.
     */
    private boolean isForServers() {
        if (JavaNet.serverFactory() != this) {
            return false;
        }
        return JavaNet.clientFactory() != this || StackWalker.getInstance().walk(frames -> frames
                .filter(f -> f.getClassName().equals(ServerSocket.class.getName()))
                .findFirst() // accept, too, makes a connection's end
                .filter(f -> !f.getMethodName().equals("implAccept"))
                .isPresent());
    }
}
