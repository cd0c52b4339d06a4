package jfs.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;

/**
 * A kernel TCP socket with the semantics of {@code java.net}. Every JFS socket has one for its whole life. The
 * methods are those of {@link java.net.SocketImpl} and of its streams, and for each of them blocking, locking, time-outs, interrupts,
 * asynchronous close and exceptions (types and messages) are those of the JDK's own {@code sun.nio.ch.NioSocketImpl}. This class adds
 * to a {@link TcpEnd} what comes before a connection.
 *
 * <p>There are two kinds: {@link JdkSocket}, which is the JDK's own, and {@link NioSocket}, used where that can't be reached.
 */
public abstract class TcpSocket extends TcpEnd {

    /** What a socket is made for. */
    public enum Use {
        /** To connect, through a SOCKS proxy if the system's settings name one. */
        CLIENT,
        /** To connect to the very address that is given. */
        DIRECT_CLIENT,
        /** To listen. */
        SERVER
    }

    TcpSocket() {
    }

    public abstract void create(boolean stream) throws IOException;

    /** A failed connect closes the socket. */
    public abstract void connect(SocketAddress address, int timeout) throws IOException;

    public abstract void bind(InetAddress address, int port) throws IOException;

    /** Only after this call a listening socket is certain to have its address and port. A port in use may show only in this call. */
    public abstract void listen(int backlog) throws IOException;

    /** Blocks until a connection comes, at most SO_TIMEOUT. */
    public abstract TcpSocket accept() throws IOException;

    public abstract boolean supportsUrgentData();
}
