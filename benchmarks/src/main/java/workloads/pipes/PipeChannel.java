package workloads.pipes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A channel within this JVM. Connecting never waits. */
final class PipeChannel extends SocketChannel implements PipeSelector.Watched {
    /** The channel as a socket: only its addresses and options. */
    private final class Adaptor extends Socket {
        Adaptor() throws SocketException {
            super(end);
        }

        @Override
        public boolean isConnected() {
            return PipeChannel.this.isConnected();
        }

        @Override
        public InetAddress getInetAddress() {
            return end.getInetAddress();
        }

        @Override
        public int getPort() {
            return end.getPort();
        }

        @Override
        public int getLocalPort() {
            return end.getLocalPort();
        }

        @Override
        public SocketAddress getRemoteSocketAddress() {
            return PipeChannel.this.getRemoteAddress();
        }

        @Override
        public SocketAddress getLocalSocketAddress() {
            return PipeChannel.this.getLocalAddress();
        }

        @Override
        public void close() throws IOException {
            PipeChannel.this.close();
        }
    }

    private final PipeSocketImpl end;
    private final Map<SocketOption<?>, Object> options = new ConcurrentHashMap<>(Map.of(
            StandardSocketOptions.TCP_NODELAY, false,
            StandardSocketOptions.SO_KEEPALIVE, false,
            StandardSocketOptions.SO_SNDBUF, 1 << 18,
            StandardSocketOptions.SO_RCVBUF, 1 << 18));
    private volatile boolean connected;
    private volatile Runnable watcher = () -> {};

    PipeChannel(SelectorProvider provider) {
        super(provider);
        end = new PipeSocketImpl();
    }

    PipeChannel(SelectorProvider provider, PipeSocketImpl accepted) {
        super(provider);
        end = accepted;
        connected = true;
    }

    private void check() throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        if (!connected) {
            throw new NotYetConnectedException();
        }
    }

    @Override
    public boolean connect(SocketAddress to) throws IOException {
        end.connect(to, 0);
        connected = true;
        watch(watcher);
        return true;
    }

    @Override
    public boolean finishConnect() throws IOException {
        check();
        return true;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        check();
        return isBlocking() || end.in().readable() ? end.in().read(to, 0) : 0;
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!to[i].hasRemaining()) {
                continue;
            }
            if (all > 0 && end.in().available() == 0) {
                break;
            }
            int n = read(to[i]);
            if (n <= 0) {
                return all == 0 ? n : all;
            }
            all += n;
        }
        return all;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        check();
        return isBlocking() ? end.out().write(from) : end.out().writeSome(from);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long all = 0;
        for (int i = offset; i < offset + length; i++) {
            all += write(from[i]);
            if (from[i].hasRemaining()) {
                break;
            }
        }
        return all;
    }

    @Override
    public int ready() {
        return !connected ? 0
                : (end.in().readable() ? SelectionKey.OP_READ : 0) | (end.out().writable() ? SelectionKey.OP_WRITE : 0);
    }

    @Override
    public void watch(Runnable then) {
        watcher = then;
        if (connected) {
            end.in().whenReadable(then);
            end.out().whenWritable(then);
        }
    }

    @Override
    public SocketChannel bind(SocketAddress local) {
        return this;
    }

    @Override
    public SocketChannel shutdownInput() {
        end.shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() {
        end.shutdownOutput();
        return this;
    }

    @Override
    public Socket socket() {
        try {
            return new Adaptor();
        } catch (SocketException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public boolean isConnectionPending() {
        return false;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return connected ? new InetSocketAddress(end.getInetAddress(), end.getPort()) : null;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), end.getLocalPort());
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
        options.put(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        return name.type().cast(options.get(name));
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.copyOf(options.keySet());
    }

    @Override
    protected void implCloseSelectableChannel() {
        end.close();
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}
}
