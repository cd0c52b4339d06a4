package jfs.transport.tcp;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import jfs.wait.Deadline;

/** A socket for a connection, over a channel. */
final class NioConnection extends NioSocket<SocketChannel> {

    /** The most bytes of one system call. The channel copies as many to memory of its own, which the thread keeps. */
    private static final int SLICE = 128 << 10;

    /** Guarded by the read lock. */
    private boolean ended;

    private final boolean withSocks;
    private volatile boolean inputShut;
    private volatile boolean proxied;

    /** @param withSocks whether the system's SOCKS settings are honoured */
    NioConnection(boolean withSocks) {
        this.withSocks = withSocks;
    }

    @Override
    SocketChannel open() throws IOException {
        return SocketChannel.open();
    }

    /** Takes over the channel of an accepted connection. Called on a new object. */
    void takeAccepted(SocketChannel accepted) throws IOException {
        synchronized (stateLock) {
            InetSocketAddress remote = (InetSocketAddress) accepted.getRemoteAddress();
            use(accepted, State.CONNECTED);
            setRemote(remote.getAddress(), remote.getPort());
            learnLocalPort();
        }
    }

    @Override
    public void bind(InetAddress host, int port) throws IOException {
        synchronized (stateLock) {
            ensureOpen();
            if (getLocalPort() != 0) {
                throw new SocketException("Already bound");
            }
            try {
                channel().bind(new InetSocketAddress(host, port));
            } catch (UnsupportedAddressTypeException e) {
                throw HostInfo.noIpv6();
            }
            setLocal(host);
        }
    }

    @Override
    public void connect(SocketAddress remote, int timeout) throws IOException {
        if (!(remote instanceof InetSocketAddress end)) {
            throw new IllegalArgumentException("Unsupported address type");
        }
        long deadline = Deadline.in(timeout);
        if (withSocks) {
            Socks.connect(this, end, deadline);
        } else {
            connectTo(end, deadline);
        }
    }

    /** Called after a SOCKS proxy has connected to the target. @param target to which the program has asked to connect */
    void reached(InetSocketAddress target) {
        setRemote(target.getAddress(), target.getPort());
        proxied = true;
    }

    @Override
    public boolean proxied() {
        return proxied;
    }

    /** Connects to this very address. */
    void connectTo(InetSocketAddress remote, long deadline) throws IOException {
        if (remote.isUnresolved()) {
            throw HostInfo.unknownHost(remote.getHostName());
        }
        InetAddress address = remote.getAddress();
        if (address.isAnyLocalAddress()) { // a channel would take the loopback address
            address = InetAddress.getLocalHost();
        }
        try {
            readLock().lock();
            try {
                connectLocked(new InetSocketAddress(address, remote.getPort()), deadline);
            } finally {
                readLock().unlock();
            }
        } catch (UnsupportedAddressTypeException e) {
            close();
            throw HostInfo.noIpv6(remote);
        } catch (IOException e) {
            boolean closedByOther = state() == State.CLOSED;
            close();
            throw connectFailure(e, closedByOther);
        }
    }

    private static IOException connectFailure(IOException e, boolean closedByOther) {
        if (e instanceof SocketTimeoutException) {
            return e;
        }
        if (e instanceof InterruptedIOException) {
            return new SocketException("Closed by interrupt");
        }
        return closedByOther ? new SocketException("Socket closed") : e;
    }

    private void connectLocked(InetSocketAddress remote, long deadline) throws IOException {
        synchronized (stateLock) {
            switch (state()) {
                case NEW -> throw new SocketException("Not created");
                case CONNECTING -> throw new SocketException("Connection in progress");
                case CONNECTED -> throw new SocketException("Already connected");
                case CLOSED -> throw new SocketException("Socket closed");
                default -> enter(State.CONNECTING);
            }
            setRemote(remote.getAddress(), remote.getPort());
        }
        boolean connected = channel().connect(remote);
        while (!connected && !channel().finishConnect()) {
            await(SelectionKey.OP_CONNECT, deadline, "Connect timed out");
        }
        synchronized (stateLock) {
            if (state() != State.CONNECTING) {
                throw new SocketException("Socket closed");
            }
            learnLocalPort();
            enter(State.CONNECTED);
        }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        return read(into, offset, length, Deadline.in(timeout()));
    }

    /** @return the number of bytes, or -1 at the end */
    int read(byte[] into, int offset, int length, long deadline) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        if (!Deadline.lock(readLock(), deadline)) {
            throw new SocketTimeoutException("Read timed out");
        }
        try {
            if (ended) {
                return -1;
            }
            ByteBuffer slice = ByteBuffer.wrap(into, offset, Math.min(length, SLICE));
            for (;;) {
                ensureConnected();
                int n = readChannel(slice);
                if (n != 0) {
                    ended = n < 0;
                    return n;
                }
                await(SelectionKey.OP_READ, deadline, "Read timed out");
            }
        } finally {
            readLock().unlock();
        }
    }

    @Override
    public int tryRead(ByteBuffer into, int most) throws IOException {
        if (ended) {
            return -1;
        }
        ensureConnected();
        int limit = into.limit();
        into.limit(into.position() + Math.min(most, SLICE));
        try {
            int n = readChannel(into);
            ended = n < 0;
            return n;
        } finally {
            into.limit(limit);
        }
    }

    private int readChannel(ByteBuffer into) throws SocketException {
        try {
            return channel().read(into);
        } catch (IOException e) {
            throw asSocketException(e);
        }
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        if (length == 0) {
            return;
        }
        writeLock().lock();
        try {
            int end = offset + length;
            for (int at = offset; at < end;) {
                ensureConnected();
                int n = writeChannel(ByteBuffer.wrap(from, at, Math.min(end - at, SLICE)));
                at += n;
                if (n == 0) {
                    await(SelectionKey.OP_WRITE, Deadline.NONE, null);
                }
            }
        } finally {
            writeLock().unlock();
        }
    }

    @Override
    public int tryWrite(ByteBuffer from) throws IOException {
        ensureConnected();
        int limit = from.limit();
        from.limit(Math.min(limit, from.position() + SLICE));
        try {
            return writeChannel(from);
        } finally {
            from.limit(limit);
        }
    }

    private int writeChannel(ByteBuffer from) throws SocketException {
        try {
            return channel().write(from);
        } catch (IOException e) {
            throw asWritersException(e);
        }
    }

    private SocketException asWritersException(IOException e) {
        boolean shut = e instanceof ClosedChannelException && state() == State.CONNECTED; // only its output is shut
        return shut ? new SocketException("Broken pipe") : asSocketException(e);
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        writeLock().lock();
        try {
            ensureConnected();
            while (!trySendUrgent(data)) {
                await(SelectionKey.OP_WRITE, Deadline.NONE, null);
                ensureConnected();
            }
        } finally {
            writeLock().unlock();
        }
    }

    /** @throws IOException as by NioSocketImpl: not a SocketException if the peer has gone */
    private boolean trySendUrgent(int data) throws IOException {
        try {
            channel().socket().sendUrgentData(data);
            return true;
        } catch (IOException e) {
            if (e.getClass() != IOException.class) {
                SocketException failure = asWritersException(e);
                throw state() == State.CONNECTED ? new IOException(failure.getMessage()) : failure;
            }
            if ("Socket buffer full".equals(e.getMessage())) {
                return false; // a non-blocking channel's adaptor has no other way to say that
            }
            throw e;
        }
    }

    @Override
    public int available() throws IOException {
        synchronized (stateLock) {
            ensureConnected();
            return inputShut ? 0 : channel().socket().getInputStream().available();
        }
    }

    @Override
    public void shutdownInput() throws IOException {
        synchronized (stateLock) {
            ensureConnected();
            inputShut = true;
            channel().shutdownInput();
        }
        wake();
    }

    @Override
    public void shutdownOutput() throws IOException {
        synchronized (stateLock) {
            ensureConnected();
            channel().shutdownOutput();
        }
        wake();
    }

    /** Shuts the output down, as NioSocketImpl does. So the peer reads the bytes under way and the end, whatever is unread here. */
    @Override
    void endOutput() {
        try {
            if (channel().getOption(StandardSocketOptions.SO_LINGER) != 0) {
                channel().shutdownOutput();
            }
        } catch (IOException e) {
            // The output has ended already.
        }
    }
}
