package jfs.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A kernel TCP socket with the semantics of {@code java.net}. Every JFS socket has one for its whole life. The
 * methods are those of {@link java.net.SocketImpl} and of its streams, and for each of them blocking, locking, time-outs, interrupts,
 * asynchronous close and exceptions (types and messages) are those of the JDK's own {@code sun.nio.ch.NioSocketImpl}.
 *
 * <p>There are two kinds: {@link JdkSocket}, which is the JDK's own, and {@link NioSocket}, used where that can't be reached.
 */
public interface TcpSocket {

    /** What a socket is made for. */
    enum Use {
        /** To connect, through a SOCKS proxy if the system's settings name one. */
        CLIENT,
        /** To connect to the very address that is given. */
        DIRECT_CLIENT,
        /** To listen. */
        SERVER
    }

    void create(boolean stream) throws IOException;

    /** A failed connect closes the socket. */
    void connect(SocketAddress address, int timeout) throws IOException;

    void bind(InetAddress address, int port) throws IOException;

    /** Only after this call a listening socket is certain to have its address and port. A port in use may show only in this call. */
    void listen(int backlog) throws IOException;

    /** Blocks until a connection comes, at most SO_TIMEOUT. */
    TcpSocket accept() throws IOException;

    /**
     * The lock that a thread holds while it reads, connects or accepts. A thread that holds it already may make these calls. The caller
     * calls this method once and keeps the lock, because each call makes a new lock where the JDK's own socket has none.
     */
    ReentrantLock readLock();

    /** The lock that a thread holds while it writes or sends urgent data; otherwise as {@link #readLock}. */
    ReentrantLock writeLock();

    /**
     * Blocks until there is a byte, at most SO_TIMEOUT.
     *
     * @return the number of bytes, or -1 at the end
     */
    int read(byte[] into, int offset, int length) throws IOException;

    /** Writes all bytes, or throws. Blocks while TCP has no room. */
    void write(byte[] from, int offset, int length) throws IOException;

    int available() throws IOException;

    /** Blocks for SO_LINGER only. Wakes every blocked call. Idempotent. */
    void close() throws IOException;

    void shutdownInput() throws IOException;

    void shutdownOutput() throws IOException;

    boolean supportsUrgentData();

    void sendUrgentData(int data) throws IOException;

    /** The old option interface, numbers as in {@link java.net.SocketOptions}. */
    void setOption(int option, Object value) throws SocketException;

    /** The old option interface, numbers as in {@link java.net.SocketOptions}. */
    Object getOption(int option) throws SocketException;

    <T> void setOption(SocketOption<T> option, T value) throws IOException;

    <T> T getOption(SocketOption<T> option) throws IOException;

    Set<SocketOption<?>> supportedOptions();

    InetAddress getInetAddress();

    int getPort();

    int getLocalPort();

    /** Whether the socket is connected to a SOCKS proxy. The proxy's handshake went over this TCP connection, and is in no count. */
    boolean proxied();

    /**
     * The number of the descriptor; -1 if there is none or it can't be known. The number is valid only until {@link #close}. A
     * caller that passes it to a system call must keep a close from happening meanwhile ({@link TcpEnd}).
     */
    int descriptor();
}
