package jfs.conformance.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Locale;

/**
 * What one end of a {@link Pair} is. The system property {@code ends} of a JVM names the kinds of both ends, the client's first, as in
 * {@code channel-socket}. {@code -Dtest.ends=...} does so for the JVMs that do not have this property. Without either property both ends
 * are sockets.
 */
public enum EndKind {

    /** A socket of {@code java.net}. */
    SOCKET,
    /** A channel in blocking mode. The test has its adaptor, {@link SocketChannel#socket}. */
    CHANNEL,
    /** A channel in non-blocking mode, behind streams that wait by selectors ({@link SelectorSocket}). */
    SELECTOR;

    private static final EndKind[] OF_JVM = ofJvm();

    private static EndKind[] ofJvm() {
        String both = System.getProperty("ends", System.getProperty("test.ends", "socket-socket"));
        String[] names = both.toUpperCase(Locale.ROOT).split("-", -1);
        if (names.length != 2) {
            throw new IllegalArgumentException("two kinds of end are expected, as in channel-socket, but not " + both);
        }
        return new EndKind[] {valueOf(names[0]), valueOf(names[1])};
    }

    /** What the connecting ends of this JVM's pairs are. */
    static EndKind ofClients() {
        return OF_JVM[0];
    }

    /** What the listeners and the accepted ends of this JVM's pairs are. */
    static EndKind ofServers() {
        return OF_JVM[1];
    }

    /** Whether this JVM's pairs have a channel at one of their ends or at both. */
    static boolean withChannels() {
        return ofClients() != SOCKET || ofServers() != SOCKET;
    }

    /** The kind of a socket that a test has. */
    static EndKind of(Socket socket) {
        return socket instanceof SelectorSocket ? SELECTOR : socket.getChannel() != null ? CHANNEL : SOCKET;
    }

    static EndKind of(ServerSocket listener) {
        return listener.getChannel() != null ? CHANNEL : SOCKET;
    }

    /** The provider of the side's channels: the JDK's, or the default one, which {@link Subject} has seen to be JFS's. */
    private static SelectorProvider provider(boolean jfs) throws IOException {
        if (jfs) {
            return SelectorProvider.provider();
        }
        try {
            return (SelectorProvider) Class.forName("sun.nio.ch.DefaultSelectorProvider").getMethod("get").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("needs --add-exports java.base/sun.nio.ch=ALL-UNNAMED", e);
        }
    }

    /** An unconnected end of this kind, of the default provider. It is {@link #connected} before its bytes are moved. */
    public Socket open() throws IOException {
        return this == SOCKET ? new Socket() : SocketChannel.open().socket();
    }

    /** An unbound listener for ends of this kind, of the default provider. What it accepts is {@link #connected} before bytes are moved. */
    public ServerSocket openListener() throws IOException {
        return this == SOCKET ? new ServerSocket() : ServerSocketChannel.open().socket();
    }

    /** The end of this kind for a socket or an adaptor that has been connected. */
    public Socket connected(Socket socket) throws IOException {
        return this == SELECTOR && socket.getChannel() != null ? new SelectorSocket(socket.getChannel()) : socket;
    }

    /** Connects an end of this kind, of the current side. */
    Socket connect(InetAddress address, int port) throws IOException {
        if (this == SOCKET) {
            return new Socket(address, port);
        }
        Side side = Side.current();
        SocketChannel channel = provider(side == Side.CLIENT || side == Side.BOTH).openSocketChannel();
        try {
            channel.connect(new InetSocketAddress(address, port));
            return connected(channel.socket());
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** Listens for ends of this kind, of the current side. */
    ServerSocket listen(InetAddress address) throws IOException {
        if (this == SOCKET) {
            return new ServerSocket(0, 50, address);
        }
        Side side = Side.current();
        ServerSocketChannel channel = provider(side == Side.SERVER || side == Side.BOTH).openServerSocketChannel();
        try {
            return channel.bind(new InetSocketAddress(address, 0), 50).socket();
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** Accepts an end of this kind, if the listener is one of channels. */
    Socket accept(ServerSocket listener) throws IOException {
        return connected(listener.accept());
    }
}
