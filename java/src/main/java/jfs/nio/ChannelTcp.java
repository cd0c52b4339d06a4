package jfs.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.JfsTcp;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import jfs.nativelib.Posix;
import jfs.transport.tcp.TcpEnd;

/**
 * TCP of a program's channel. The channel itself reads and writes TCP as long as the connection has no path. The methods for bytes are for
 * what a connection with a path still does over TCP.
 */
final class ChannelTcp extends TcpEnd implements Runnable {

    /** How long a thread waits in one call for a channel in non-blocking mode. */
    private static final int WAIT_MILLIS = 1_000;

    private final SocketChannel channel;
    private final JfsTcp tcp;
    private final InetSocketAddress remote;
    private final int localPort;
    private final Executor closer;

    /**
     * @param channel is connected, and a {@link JfsTcp} too
     * @param closer runs what is left of a close, by another thread
     */
    ChannelTcp(SocketChannel channel, Executor closer) throws IOException {
        this.closer = closer;
        this.channel = channel;
        this.tcp = (JfsTcp) channel;
        this.remote = (InetSocketAddress) channel.getRemoteAddress();
        this.localPort = ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @Override
    public ReentrantLock readLock() {
        return tcp.tcpReadLock();
    }

    @Override
    public ReentrantLock writeLock() {
        return tcp.tcpWriteLock();
    }

    /** The descriptor stays this connection's until {@link #release}. */
    private void enter() throws SocketException {
        if (acquire() < 0) {
            throw new SocketException("Socket closed");
        }
    }

    /** Waits also if the channel is in non-blocking mode. */
    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into, offset, length);
        for (;;) {
            enter();
            try {
                int n = tcp.tcpRead(buffer);
                if (n != 0) {
                    return n;
                }
                Posix.poll(descriptor(), Posix.POLLIN, -1, 0, WAIT_MILLIS);
            } finally {
                release();
            }
        }
    }

    /** One call, which does not block if the kernel has said that there is something. */
    @Override
    public int tryRead(ByteBuffer into, int most) throws IOException {
        enter();
        int limit = into.limit();
        try {
            if (channel.isBlocking() && !arrived()) {
                return 0;
            }
            into.limit(into.position() + Math.min(most, into.remaining()));
            return tcp.tcpRead(into);
        } finally {
            into.limit(limit);
            release();
        }
    }

    /** Waits also if the channel is in non-blocking mode. */
    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(from, offset, length);
        while (buffer.hasRemaining()) {
            enter();
            try {
                if (tcp.tcpWrite(buffer) == 0) {
                    Posix.poll(descriptor(), Posix.POLLOUT, -1, 0, WAIT_MILLIS);
                }
            } finally {
                release();
            }
        }
    }

    /** One call, of bytes for which there is room if the channel is in blocking mode. */
    @Override
    public int tryWrite(ByteBuffer from) throws IOException {
        enter();
        try {
            return tcp.tcpWrite(from);
        } finally {
            release();
        }
    }

    @Override
    public int available() throws IOException {
        enter();
        try {
            return tcp.tcpAvailable();
        } finally {
            release();
        }
    }

    /**
     * Called by the closing thread, or by the last one that leaves the descriptor. The JDK closes a channel in non-blocking mode under its
     * two locks, one after the other. So a thread that has one of them leaves that to JFS's own thread.
     */
    @Override
    public void close() throws IOException {
        if (!channel.isBlocking() && (readLock().isHeldByCurrentThread() || writeLock().isHeldByCurrentThread())) {
            closer.execute(this);
        } else {
            tcp.tcpClose();
        }
    }

    /** What is left of a close. */
    @Override
    public void run() {
        try {
            tcp.tcpClose();
        } catch (IOException e) {
            // No caller is left that could be told.
        }
    }

    @Override
    public void shutdownInput() throws IOException {
        enter();
        try {
            tcp.tcpShutdownInput();
        } finally {
            release();
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        enter();
        try {
            tcp.tcpShutdownOutput();
        } finally {
            release();
        }
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        enter();
        try {
            if (tcp.tcpSendUrgent((byte) data) == 0) {
                throw new NoRoomException();
            }
        } finally {
            release();
        }
    }

    /** An urgent byte has found no room. The channel tells its caller by its result. */
    static final class NoRoomException extends IOException {
        private static final long serialVersionUID = 1;

        NoRoomException() {
            super("Socket buffer full");
        }
    }

    /** Channels have their options by name. JFS itself asks for {@link SocketOptions#SO_OOBINLINE}. */
    @Override
    public void setOption(int option, Object value) throws SocketException {
        throw new SocketException("Unknown option " + option);
    }

    @Override
    public Object getOption(int option) throws SocketException {
        for (SocketOption<?> each : option == SocketOptions.SO_OOBINLINE ? supportedOptions() : Set.<SocketOption<?>>of()) {
            if (each.name().equals("SO_OOBINLINE")) { // an option of sun.nio.ch
                try {
                    return getOption(each);
                } catch (ClosedChannelException e) {
                    throw new SocketException("Socket is closed"); // as the JDK's adaptors translate it
                } catch (IOException e) {
                    throw new SocketException(e.getMessage());
                }
            }
        }
        throw new SocketException("Unknown option " + option);
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        enter();
        try {
            tcp.tcpSetOption(option, value);
        } finally {
            release();
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        enter();
        try {
            return tcp.tcpGetOption(option);
        } finally {
            release();
        }
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public InetAddress getInetAddress() {
        return remote.getAddress();
    }

    @Override
    public int getPort() {
        return remote.getPort();
    }

    @Override
    public int getLocalPort() {
        return localPort;
    }

    /** Channels know no proxies. */
    @Override
    public boolean proxied() {
        return false;
    }

    /** A channel that a selector has is shut down first, because the selector has to let go of it before it can be closed. */
    @Override
    public boolean showsEndBeforeReset() {
        return channel.isRegistered() && !channel.isBlocking();
    }

    @Override
    public int descriptor() {
        return tcp.tcpDescriptor();
    }
}
