package workloads.pipes;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A socket within this JVM. It does only what the measured programs need. All addresses are this host's. */
final class PipeSocketImpl extends SocketImpl {
    /** The two pipes of a connection, named as the client sees them. */
    private record Connection(Pipe in, Pipe out, int clientPort) {}

    private static final Map<Integer, PipeSocketImpl> LISTENERS = new ConcurrentHashMap<>();
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(40_000);
    private static final Connection CLOSED = new Connection(null, null, 0);

    private final Map<Integer, Object> options = new ConcurrentHashMap<>(Map.of(
            SocketOptions.SO_TIMEOUT, 0,
            SocketOptions.TCP_NODELAY, false,
            SocketOptions.SO_KEEPALIVE, false,
            SocketOptions.SO_LINGER, -1,
            SocketOptions.SO_REUSEADDR, true,
            SocketOptions.SO_SNDBUF, 1 << 18,
            SocketOptions.SO_RCVBUF, 1 << 18,
            SocketOptions.SO_BINDADDR, InetAddress.getLoopbackAddress()));
    private final BlockingQueue<Connection> backlog = new LinkedBlockingQueue<>();
    private volatile Runnable acceptable = () -> {};
    private volatile int timeout;
    private volatile boolean closed;
    private Pipe in;
    private Pipe out;

    /** The pipe from which a connected socket reads. */
    Pipe in() {
        return in;
    }

    Pipe out() {
        return out;
    }

    @Override
    protected InetAddress getInetAddress() {
        return address;
    }

    @Override
    protected int getPort() {
        return port;
    }

    @Override
    protected int getLocalPort() {
        return localport;
    }

    /** Whether accepting returns at once. */
    boolean isAcceptable() {
        return !backlog.isEmpty();
    }

    /** Sets what happens when a connection can be accepted. */
    void whenAcceptable(Runnable then) {
        acceptable = then;
    }

    @Override
    protected void create(boolean stream) {}

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        localport = port == 0 ? NEXT_PORT.getAndIncrement() : port;
    }

    @Override
    protected void listen(int most) throws IOException {
        if (LISTENERS.putIfAbsent(localport, this) != null) {
            throw new BindException("Address already in use");
        }
    }

    @Override
    protected void connect(SocketAddress to, int millis) throws IOException {
        port = ((InetSocketAddress) to).getPort();
        address = ((InetSocketAddress) to).getAddress();
        PipeSocketImpl listener = LISTENERS.get(port);
        if (listener == null) {
            throw new ConnectException("Connection refused");
        }
        bind(null, localport);
        in = new Pipe();
        out = new Pipe();
        listener.backlog.add(new Connection(in, out, localport));
        listener.acceptable.run();
    }

    @Override
    protected void connect(InetAddress to, int toPort) throws IOException {
        connect(new InetSocketAddress(to, toPort), 0);
    }

    @Override
    protected void connect(String host, int toPort) throws IOException {
        connect(InetAddress.getByName(host), toPort);
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        Connection connection;
        try {
            connection = timeout == 0 ? backlog.take() : backlog.poll(timeout, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SocketException("Interrupted");
        }
        if (connection == null) {
            throw new SocketTimeoutException("Accept timed out");
        }
        if (connection == CLOSED) {
            backlog.add(CLOSED); // for the next thread that accepts
            throw new SocketException("Socket closed");
        }
        PipeSocketImpl end = (PipeSocketImpl) accepted;
        end.in = connection.out;
        end.out = connection.in;
        end.address = InetAddress.getLoopbackAddress();
        end.port = connection.clientPort;
        end.localport = localport;
    }

    @Override
    protected InputStream getInputStream() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return in.read(into, offset, length, timeout);
            }

            @Override
            public int available() {
                return in.available();
            }
        };
    }

    @Override
    protected OutputStream getOutputStream() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                out.write(from, offset, length);
            }
        };
    }

    @Override
    protected int available() {
        return in.available();
    }

    @Override
    protected void shutdownInput() {
        in.stopReading(false);
    }

    @Override
    protected void shutdownOutput() {
        out.end();
    }

    @Override
    protected void close() {
        if (closed) {
            return;
        }
        closed = true;
        LISTENERS.remove(localport, this);
        backlog.add(CLOSED);
        if (in != null) {
            in.stopReading(true);
            out.end();
        }
    }

    @Override
    protected boolean supportsUrgentData() {
        return false;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw new IOException("no urgent data in memory");
    }

    @Override
    public void setOption(int option, Object value) {
        options.put(option, value);
        if (option == SocketOptions.SO_TIMEOUT) {
            timeout = (Integer) value;
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        Object value = options.get(option);
        if (value == null) {
            throw new SocketException("no option " + option);
        }
        return value;
    }

    @Override
    protected FileDescriptor getFileDescriptor() {
        return null;
    }
}
