package jfs.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Properties;
import jfs.config.Settings;
import jfs.config.Transports;
import jfs.mx.MxEndpoint;
import jfs.negotiation.Negotiator;
import jfs.negotiation.policy.Policy;
import jfs.negotiation.policy.Rules;
import jfs.spi.FastPath;
import jfs.spi.Transport;
import jfs.testing.Natives;
import jfs.threads.EventLoop;
import jfs.transport.BuiltIn;
import jfs.transport.mx.MxTransport;
import jfs.transport.sci.SciTransport;
import jfs.transport.tcp.JdkSocket;
import jfs.transport.tcp.NioSocket;
import jfs.transport.tcp.TcpEnd;
import jfs.transport.tcp.TcpSocket;

/**
 * The two ends of one TCP connection in this process. The test says when they get their path: nothing is negotiated. Two transports of
 * this process play those of two processes.
 */
final class ConnectedPair implements AutoCloseable {

    /** What the path is made of. */
    enum Path {
        SCI, MX
    }

    private static final int VERSION = 3;
    private static final int WINDOW = 16 << 10;
    private static final int OVERFLOW = 64 << 10;
    private static final int LONG_MIN = 4 << 10;
    private static final int POLL_MICROS = 20;
    private static final int MESSAGE_MAX = 32 << 10;
    private static final long PLENTY = 1 << 30;

    private static final EventLoop LOOP;

    static {
        Natives.load();
        LOOP = new EventLoop("test-idle");
    }

    private final Path kind;
    private MxEndpoint nearEndpoint;
    private MxEndpoint farEndpoint;
    final Connection near;
    final Connection far;

    /** @param jdk whether the TCP sockets are the JDK's own; otherwise they are channels */
    ConnectedPair(Path kind, boolean jdk) throws IOException {
        if (kind == Path.MX) {
            Natives.assumeMx();
        }
        if (jdk && JdkSocket.unavailable() != null) {
            throw new IOException(JdkSocket.unavailable());
        }
        this.kind = kind;
        TcpSocket listener = socket(jdk, TcpSocket.Use.SERVER);
        TcpSocket nearTcp = socket(jdk, TcpSocket.Use.DIRECT_CLIENT);
        listener.create(true);
        listener.bind(InetAddress.getLoopbackAddress(), 0);
        listener.listen(1);
        nearTcp.create(true);
        nearTcp.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort()), 0);
        nearTcp.connected(false);
        TcpEnd farTcp = listener.accept();
        farTcp.connected(true);
        listener.close();
        near = new Connection(new Alone(), nearTcp, 0);
        far = new Connection(new Alone(), farTcp, 0);
    }

    private static TcpSocket socket(boolean jdk, TcpSocket.Use use) {
        return jdk ? JdkSocket.of(use) : NioSocket.of(use);
    }

    /** Gives both ends their path. Each direction switches at its next calls. */
    ConnectedPair attach() throws IOException {
        Transport nearTransport;
        Transport farTransport;
        if (kind == Path.SCI) {
            SciTransport.Sizes sizes = new SciTransport.Sizes(WINDOW, OVERFLOW, LONG_MIN, POLL_MICROS);
            nearTransport = new SciTransport(sizes, PLENTY);
            farTransport = new SciTransport(sizes, PLENTY);
        } else {
            nearEndpoint = MxEndpoint.open(MESSAGE_MAX);
            farEndpoint = MxEndpoint.open(MESSAGE_MAX);
            nearTransport = new MxTransport(() -> nearEndpoint, POLL_MICROS);
            farTransport = new MxTransport(() -> farEndpoint, POLL_MICROS);
        }
        Transport.Offer offer = nearTransport.offer(VERSION, 17, "far");
        ByteBuffer description = ByteBuffer.allocate(64);
        offer.describe(description);
        Transport.Joined joined = farTransport.join(VERSION, description.flip(), 17);
        ByteBuffer answer = ByteBuffer.allocate(64);
        joined.answer(answer);
        attach(near, offer.complete(answer.flip()));
        attach(far, joined.path());
        return this;
    }

    private static void attach(Connection connection, FastPath path) {
        if (connection.candidate() == null || !connection.attach(path)) {
            throw new AssertionError("not attached");
        }
    }

    @Override
    public void close() throws IOException {
        near.close();
        far.close();
        if (nearEndpoint != null) {
            nearEndpoint.close();
            farEndpoint.close();
        }
    }

    /** A process in which connections may be fast, but which never offers one. */
    private static final class Alone implements Environment {

        private final Settings settings = Settings.read(new Properties(), Map.of());
        private final Negotiator negotiator = new Negotiator(settings,
                Policy.of(Transports.read(settings, BuiltIn.TRANSPORTS), Rules.NONE, null), null);
        private final IdleWatch idleWatch = new IdleWatch(LOOP, () -> { });

        @Override
        public Settings settings() {
            return settings;
        }

        @Override
        public Negotiator negotiator() {
            return negotiator;
        }

        @Override
        public IdleWatch idleWatch() {
            return idleWatch;
        }

        @Override
        public boolean pollsTcp() {
            return false;
        }
    }
}
