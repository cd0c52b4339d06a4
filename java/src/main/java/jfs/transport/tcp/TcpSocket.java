package jfs.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A kernel TCP socket with the semantics of {@code java.net}: what lies under every JFS socket for its whole life. The
 * methods are those of {@link java.net.SocketImpl} and of its streams, and for each of them blocking, locking, time-outs, interrupts,
 * asynchronous close and exceptions (types and messages) are those of the JDK's own {@code sun.nio.ch.NioSocketImpl}.
 *
 * <p>Two kinds: {@link JdkSocket}, which is the JDK's own, and {@link NioSocket}, for where that can't be reached.
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

    /** Only from here on a listening socket surely has its address and port, and only here its port may be in use. */
    void listen(int backlog) throws IOException;

    /** Blocks until a connection comes, at most SO_TIMEOUT. */
    TcpSocket accept() throws IOException;

    /**
     * Who reads, connects or accepts holds it. One that holds it already may make these calls. To be asked for once: where the JDK's own
     * has no such lock, each question makes one.
     */
    ReentrantLock readLock();

    /** Who writes, connects or sends urgent data holds it; else as {@link #readLock}. */
    ReentrantLock writeLock();

    /**
     * Blocks until there is a byte, at most SO_TIMEOUT.
     *
     * @return bytes, or -1 at the end
     */
    int read(byte[] into, int offset, int length) throws IOException;

    /** Writes all bytes, or throws. Blocks while TCP has no room. */
    void write(byte[] from, int offset, int length) throws IOException;

    int available() throws IOException;

    /** Never blocks; wakes every blocked call. Idempotent. */
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

    /** Whether it is connected to a SOCKS proxy, whose handshake was on this TCP connection and in nobody's count. */
    boolean proxied();

    /**
     * The number of the descriptor, valid only until {@link #close}: whoever hands it to a system call must keep close
     * from happening meanwhile ({@link TcpEnd}). -1 if there is none or it can't be known.
     */
    int descriptor();
}
