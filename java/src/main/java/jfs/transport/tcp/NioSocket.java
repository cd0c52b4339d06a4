package jfs.transport.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectableChannel;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import jfs.threads.Cleaning;
import jfs.wait.Deadline;

/**
 * TCP over the channels of {@code java.nio}, where the JDK's own implementation can't be reached. It needs only Java's public
 * interface, and so works wherever Java does. This class is what a {@linkplain NioConnection connection} and a {@linkplain
 * NioListener listener} have in common: state, addresses, options, close.
 *
 * <p>Channels are non-blocking for all their life. If a thread is interrupted inside a blocking channel operation, the channel
 * is closed. A thread in a {@code java.net} socket must not notice an interrupt. So every operation is tried first. If it
 * would block, the thread waits in {@link ChannelWaits} and tries again.
 *
 * <p>Unlike {@code NioSocketImpl}, a close does not count the threads that are inside. A channel keeps its descriptor until the
 * system call that uses it is over. None of these calls blocks, and threads that wait are made to leave first.
 */
public abstract class NioSocket<C extends SelectableChannel & NetworkChannel> extends TcpSocket {

    enum State {
        NEW, UNCONNECTED, CONNECTING, CONNECTED, CLOSED
    }

    /** Finds a channel's descriptor by an internal method, so only with {@link JdkAccess}. */
    private static final class Descriptors {
        static final MethodHandle GET = find();

        private static MethodHandle find() {
            MethodHandles.Lookup lookup = JdkAccess.lookup();
            try {
                return lookup == null ? null : lookup
                        .findVirtual(Class.forName("sun.nio.ch.SelChImpl"), "getFDVal",
                                MethodType.methodType(int.class))
                        .asType(MethodType.methodType(int.class, SelectableChannel.class));
            } catch (ReflectiveOperationException e) {
                return null; // this JDK has no such method
            }
        }
    }

    /** Guards changes of the state, and the options. A thread that holds it does not block, except in a close that lingers. */
    final Object stateLock = new Object();

    /** One thread at a time reads, connects or accepts. */
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();

    private volatile State state = State.NEW;
    /** These four fields are set once, when the socket is created, before state. */
    private C channel;
    private ChannelWaits waits;
    private ChannelOptions options;
    private Cleaner.Cleanable closing;

    private volatile int timeout;

    private volatile InetAddress address;
    private volatile int port;
    private volatile int localPort;

    NioSocket() {
    }

    /** Makes what {@code java.net}'s sockets have below them. It has no descriptor yet. */
    public static TcpSocket of(Use use) {
        return use == Use.SERVER ? new NioListener() : new NioConnection(use == Use.CLIENT);
    }

    /** Why {@link #descriptor} is never known, in one line, or null if it is known. */
    public static String descriptorUnavailable() {
        String noAccess = JdkAccess.unavailable();
        return noAccess != null ? noAccess
                : Descriptors.GET != null ? null : "this JDK's SelChImpl is not as expected";
    }

    abstract C open() throws IOException;

    @Override
    public final void create(boolean stream) throws IOException {
        if (!stream) {
            throw new IOException("Datagram socket creation not supported");
        }
        synchronized (stateLock) {
            if (state != State.NEW) {
                throw new IOException("Already created");
            }
            use(open(), State.UNCONNECTED);
        }
    }

    /** Takes a new channel; closes it if that fails. */
    final void use(C newChannel, State initial) throws IOException {
        Cleaner cleaner;
        boolean done = false;
        try {
            newChannel.configureBlocking(false);
            waits = new ChannelWaits(newChannel);
            cleaner = Cleaning.cleaner();
            done = true;
        } catch (IllegalStateException e) {
            throw new SocketException(e.getMessage());
        } finally {
            if (!done) {
                newChannel.close();
            }
        }
        channel = newChannel;
        options = new ChannelOptions(channel);
        // The action refers to the channel and its waits, but not to this socket. So it also runs for an abandoned socket.
        closing = cleaner.register(this, new Closing(waits, channel));
        if (Descriptors.GET == null) {
            OwnDescriptors.UNKNOWN.incrementAndGet();
        }
        state = initial;
    }

    /** Runs once, at close or when the socket is garbage, as in the JDK's own sockets. */
    private record Closing(ChannelWaits waits, NetworkChannel channel) implements Runnable {
        @Override
        public void run() {
            if (Descriptors.GET == null) {
                OwnDescriptors.UNKNOWN.decrementAndGet();
            }
            try (channel) {
                waits.end();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public final ReentrantLock readLock() {
        return readLock;
    }

    @Override
    public final ReentrantLock writeLock() {
        return writeLock;
    }

    final C channel() {
        return channel;
    }

    final ChannelOptions options() {
        return options;
    }

    final State state() {
        return state;
    }

    /** Called under the state lock. */
    final void enter(State next) {
        state = next;
    }

    final void ensureOpen() throws SocketException {
        switch (state) {
            case NEW -> throw new SocketException("Socket not created");
            case CLOSED -> throw new SocketException("Socket closed");
            default -> { }
        }
    }

    final void ensureConnected() throws SocketException {
        switch (state) {
            case CONNECTED -> { }
            case CLOSED -> throw new SocketException("Socket closed");
            default -> throw new SocketException("Not connected");
        }
    }

    /** Waits until the channel may be ready. The wake-up may be spurious. */
    final void await(int operation, long deadline, String late) throws IOException {
        if (Deadline.hasPassed(deadline)) {
            throw new SocketTimeoutException(late);
        }
        waits.await(operation, deadline);
    }

    /** Makes the threads that wait look again. */
    final void wake() {
        waits.wake();
    }

    final int timeout() {
        return timeout;
    }

    final void setRemote(InetAddress remoteAddress, int remotePort) {
        address = remoteAddress;
        port = remotePort;
    }

    final void setLocal(InetAddress localAddress) throws IOException {
        address = localAddress;
        learnLocalPort();
    }

    final void learnLocalPort() throws IOException {
        localPort = ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    /** When this returns the descriptor is closed: the port is free, and a linger of 0 has sent its reset. */
    @Override
    public final void close() throws IOException {
        synchronized (stateLock) {
            State before = state;
            state = State.CLOSED;
            if (before == State.NEW || before == State.CLOSED) {
                return;
            }
            if (before == State.CONNECTED) {
                endOutput();
            }
            try {
                closing.clean();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }

    /** Called before the close of a connected socket. */
    void endOutput() {
    }

    @Override
    public final void setOption(int option, Object value) throws SocketException {
        synchronized (stateLock) {
            ensureOpen();
            if (option != SocketOptions.SO_TIMEOUT) {
                options.set(option, value);
            } else if (value instanceof Integer millis && millis >= 0) {
                timeout = millis;
            } else {
                throw new SocketException(value instanceof Integer ? "timeout < 0" : "Bad value for SO_TIMEOUT");
            }
        }
    }

    @Override
    public final Object getOption(int option) throws SocketException {
        synchronized (stateLock) {
            ensureOpen();
            return option == SocketOptions.SO_TIMEOUT ? Integer.valueOf(timeout) : options.get(option);
        }
    }

    @Override
    public final <T> void setOption(SocketOption<T> option, T value) throws IOException {
        synchronized (stateLock) {
            requireSupported(option);
            ChannelOptions.requireType(option, value);
            ensureOpen();
            options.set(option, value);
        }
    }

    /** An option that is not supported is refused on a closed socket too. */
    private void requireSupported(SocketOption<?> option) {
        if (options != null) {
            options.requireSupported(option);
        }
    }

    @Override
    public final <T> T getOption(SocketOption<T> option) throws IOException {
        synchronized (stateLock) {
            requireSupported(option);
            ensureOpen();
            return options.get(option);
        }
    }

    /** No options before the socket is created. */
    @Override
    public final Set<SocketOption<?>> supportedOptions() {
        return state == State.NEW || options == null ? Set.of() : options.supported();
    }

    @Override
    public final InetAddress getInetAddress() {
        return address;
    }

    @Override
    public final int getPort() {
        return port;
    }

    @Override
    public final int getLocalPort() {
        return localPort;
    }

    @Override
    public final int descriptor() {
        if (Descriptors.GET == null || state == State.NEW || channel == null || !channel.isOpen()) {
            return -1;
        }
        try {
            return (int) Descriptors.GET.invokeExact((SelectableChannel) channel);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The exception of {@code java.net} for the failure of a channel. */
    static SocketException asSocketException(IOException e) {
        if (e instanceof SocketException already) {
            return already;
        }
        SocketException it = new SocketException(e instanceof ClosedChannelException ? "Socket closed" : e.getMessage());
        it.setStackTrace(e.getStackTrace()); // the JDK's has no cause either
        return it;
    }

    // Calls that only one of the two subclasses supports.

    @Override
    public void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        throw new SocketException("A listening socket can't connect");
    }

    @Override
    public void listen(int backlog) throws IOException {
        throw new SocketException("A socket for connections can't listen");
    }

    @Override
    public TcpSocket accept() throws IOException {
        throw new SocketException("A socket for connections can't accept");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        throw new SocketException("Not connected");
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        throw new SocketException("Not connected");
    }

    @Override
    public int available() throws IOException {
        throw new SocketException("Not connected");
    }

    @Override
    public void shutdownInput() throws IOException {
        throw new SocketException("Not connected");
    }

    @Override
    public void shutdownOutput() throws IOException {
        throw new SocketException("Not connected");
    }

    @Override
    public final boolean supportsUrgentData() {
        return true;
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        throw new SocketException("Not connected");
    }

    @Override
    public boolean proxied() {
        return false;
    }
}
