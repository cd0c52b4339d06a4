package jfs.conformance.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import jfs.Kernel;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Differences;
import jfs.conformance.harness.Differences.Failure;
import jfs.conformance.harness.FullListener;
import jfs.conformance.harness.Options;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Subject;
import jfs.conformance.harness.Transcript;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Addresses, options, and connecting: all that is not about bytes. */
@Tag("ends") // it knows what differs at the ends that are channels
class OptionsTest {

    @Start.AtEach
    void addresses(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Socket near = ends.near();
            Socket far = ends.far();
            InetAddress loopback = start.family().address();
            assertEquals(loopback, near.getInetAddress());
            assertEquals(loopback, near.getLocalAddress());
            assertEquals(far.getLocalPort(), near.getPort());
            assertEquals(far.getPort(), near.getLocalPort());
            assertEquals(far.getLocalSocketAddress(), near.getRemoteSocketAddress());
            assertEquals("Socket[addr=/" + loopback.getHostAddress() + ",port=" + near.getPort() + ",localport="
                    + near.getLocalPort() + "]",
                    near.toString().replace("localhost", ""));
            assertTrue(near.isConnected() && near.isBound() && !near.isClosed());
            SocketAddress remote = near.getRemoteSocketAddress();
            int localPort = near.getLocalPort();
            near.close();
            assertEquals(remote, near.getRemoteSocketAddress(), "remembered after close");
            assertEquals(localPort, near.getLocalPort());
            assertTrue(near.getLocalAddress().isAnyLocalAddress());
            assertEquals(Differences.isConnectedAfterClose(near), near.isConnected());
            assertTrue(near.isBound() && near.isClosed());
        }
    }

    @Test
    void addressesOfAListener() throws Exception {
        Subject.current();
        try (ServerSocket wildcard = new ServerSocket(0); ServerSocket unbound = new ServerSocket()) {
            assertEquals("0.0.0.0/0.0.0.0", wildcard.getInetAddress().toString());
            assertEquals("ServerSocket[addr=0.0.0.0/0.0.0.0,localport=" + wildcard.getLocalPort() + "]",
                    wildcard.toString());
            assertEquals(-1, unbound.getLocalPort());
            assertEquals("ServerSocket[unbound]", unbound.toString());
            try (Socket client = new Socket("127.0.0.1", wildcard.getLocalPort());
                    Pair pair = Pair.of(client, wildcard.accept())) {
                assertTrue(pair.server.getInetAddress() instanceof Inet4Address);
                pair.converse();
            }
        }
    }

    @Test
    void overIPv6() throws Exception {
        Subject.current();
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("::1"));
                Pair pair = Pair.via(listener)) {
            assertEquals(InetAddress.getByName("::1"), pair.server.getInetAddress());
            pair.converse();
        }
    }

    /** An address that refuses connections. A socket that connects to it has failed. */
    private static InetSocketAddress nobody() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        }
    }

    @Side.AtEach
    void everyOptionInEveryStateOfASocket(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (Socket socket = new Socket()) {
                Options.look(seen, "new", socket);
                socket.bind(new InetSocketAddress("127.0.0.1", 0));
                Options.look(seen, "bound", socket);
                socket.close();
                Options.look(seen, "closed", socket);
                Options.setAll(seen, socket);
            }
            try (Socket socket = new Socket()) {
                Options.setAll(seen, socket);
            }
            try (Socket socket = new Socket()) {
                seen.see("connect", () -> socket.connect(nobody()));
                Options.look(seen, "failed", socket);
                Options.setAll(seen, socket);
            }
            try (Socket socket = new Socket()) {
                socket.close();
                Options.look(seen, "never used", socket);
            }
        });
    }

    @Side.AtEach
    void everyOptionInEveryStateOfAListener(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (String address : new String[] {"127.0.0.1", "::1", "0.0.0.0"}) {
                try (ServerSocket listener = new ServerSocket()) {
                    Options.look(seen, "new", listener);
                    seen.see("bind", () -> listener.bind(new InetSocketAddress(address, 0)));
                    Options.look(seen, "listening", listener);
                    Options.setAll(seen, listener);
                    listener.close();
                    Options.look(seen, "closed", listener);
                    Options.setAll(seen, listener);
                }
                try (ServerSocket listener = new ServerSocket()) {
                    Options.setAll(seen, listener);
                }
            }
        });
    }

    @Start.AtEach
    void everyOptionOfAConnection(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            Options.look(seen, "connected", ends.near());
            Options.setAll(seen, ends.near());
            ends.near().shutdownOutput();
            ends.near().shutdownInput();
            Options.look(seen, "shut", ends.near());
            ends.near().close();
            Options.look(seen, "closed", ends.near());
            Options.setAll(seen, ends.near());
            Options.look(seen, "the other end", ends.far());
        });
    }

    @Side.AtEach
    void whatWasSetBeforeConnectingIsKeptAndWhatTheListenerHadIsInherited(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (boolean bind : new boolean[] {false, true}) {
                try (ServerSocket listener = new ServerSocket(); Socket client = new Socket()) {
                    Options.change(listener);
                    listener.bind(new InetSocketAddress("127.0.0.1", 0));
                    Options.look(seen, "listening", listener);
                    Options.change(client);
                    if (bind) {
                        client.bind(new InetSocketAddress("127.0.0.1", 0));
                    }
                    client.connect(listener.getLocalSocketAddress());
                    try (Socket server = listener.accept()) {
                        Options.look(seen, "client", client);
                        Options.look(seen, "accepted", server);
                    }
                }
            }
        });
    }

    /** Sets options of both ends in the middle of a conversation. */
    @Start.AtEach
    void optionsThatAreSetMeanwhileChangeNoByte(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Options.change(ends.near());
            ends.pair().pingPong();
            Options.setAll(new Transcript(), ends.far());
            ends.far().setSoTimeout(0);
            ends.pair().pingPong();
            assertTrue(ends.near().getKeepAlive());
            assertTrue(ends.near().getTcpNoDelay());
        }
    }

    /**
     * The program reads the value that it has set, by either interface. The kernel's value is true in any case if there is
     * a path.
     */
    @Start.AtEach
    void tcpNoDelayIsAsItWasSet(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            boolean kept = ends.pair().switches() && start.progress() != Start.Progress.FRESH;
            for (Socket end : List.of(ends.near(), ends.far())) {
                assertNoDelay(false, kept, end);
                for (boolean on : new boolean[] {true, false, false, true}) {
                    end.setTcpNoDelay(on);
                    assertNoDelay(on, kept, end);
                    end.setOption(StandardSocketOptions.TCP_NODELAY, !on);
                    assertNoDelay(!on, kept, end);
                }
            }
            ends.pair().pingPong();
        }
    }

    /** That holds also for a value that was set before there was a path, or while it was set up. */
    @Test
    void tcpNoDelayIsKeptThroughTheSwitch() throws Exception {
        for (boolean last : new boolean[] {true, false}) {
            try (Pair pair = Pair.fresh()) {
                pair.client.setTcpNoDelay(true);
                AtomicBoolean over = new AtomicBoolean();
                Background<Void> setter = Background.run(() -> {
                    do {
                        pair.server.setTcpNoDelay(!pair.server.getTcpNoDelay());
                    } while (!over.get());
                    pair.server.setTcpNoDelay(last);
                });
                pair.converse();
                over.set(true);
                setter.result();
                assertNoDelay(true, pair.switches(), pair.client);
                assertNoDelay(last, pair.switches(), pair.server);
            }
        }
    }

    private static void assertNoDelay(boolean set, boolean kept, Socket end) throws Exception {
        assertEquals(set, end.getTcpNoDelay());
        assertEquals(set, end.getOption(StandardSocketOptions.TCP_NODELAY));
        if (kept) {
            assertTrue(Kernel.noDelay(end), "the kernel's");
        }
    }

    /** The calls don't wait for the threads that read, write and accept. */
    @ParameterizedTest
    @MethodSource("jfs.conformance.harness.Start#overIPv4")
    void optionsWhileOthersAreBlocked(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            byte[] bytes = Bytes.of(3, 0, 16 << 20);
            Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
            Background<Void> writer = Background.run(() -> ends.out().write(bytes)).blocked();
            Background.run(() -> {
                Options.setAll(new Transcript(), ends.near());
                Options.look(new Transcript(), "blocked", ends.near());
                StateTest.look(new Transcript(), "blocked", ends.near());
                assertEquals(0, ends.in().available());
            }).result();
            assertFalse(reader.isDone() || writer.isDone());
            ends.farOut().write('!');
            assertEquals('!', reader.result());
            Bytes.expect(ends.farIn(), 3, 0, bytes.length);
            writer.result();
        }
    }

    @Side.AtEach
    void optionsOfAListenerWhileOthersAreBlocked(Side side) throws Exception {
        side.call(() -> {
            try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
                Background<Socket> accepting = Background.call(listener::accept).blocked();
                Background.run(() -> {
                    Options.setAll(new Transcript(), listener);
                    Options.look(new Transcript(), "blocked", listener);
                }).result();
                assertFalse(accepting.isDone());
                new Socket(listener.getInetAddress(), listener.getLocalPort()).close();
                accepting.result().close();
            }
            try (FullListener full = new FullListener(); Socket socket = new Socket()) {
                Background<Void> connecting = Background.run(() -> socket.connect(full.address())).blocked();
                Background.run(() -> {
                    Options.setAll(new Transcript(), socket);
                    Options.look(new Transcript(), "connecting", socket);
                    StateTest.look(new Transcript(), "connecting", socket);
                }).result();
                assertFalse(connecting.isDone());
                socket.close();
                assertThrows(SocketException.class, connecting::result);
            }
            return null;
        });
    }

    /** Each call works, or reports that the socket is closed. There is no state in between. */
    @Start.AtEach
    void optionsWhileItIsBeingClosed(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            CountDownLatch begun = new CountDownLatch(1);
            Background<IOException> others = Background.call(() -> {
                for (boolean on = true;; on = !on) {
                    try {
                        ends.near().setTcpNoDelay(on);
                        ends.near().setOOBInline(on);
                        ends.near().setOption(StandardSocketOptions.SO_KEEPALIVE, on);
                        ends.near().setSoLinger(on, 5);
                        ends.near().getOption(StandardSocketOptions.SO_LINGER);
                        ends.near().getReceiveBufferSize();
                        begun.countDown();
                    } catch (IOException e) {
                        return e;
                    }
                }
            });
            begun.await();
            ends.near().close();
            Differences.assertOneOf(ends.near(), others.result(), Failure.CLOSED, Failure.IS_CLOSED);
        }
    }

    @Test
    void supportedOptions() throws Exception {
        try (Pair pair = Pair.fresh(); ServerSocket listener = Pair.listener()) {
            Set<String> socket = Set.of("IP_TOS", "SO_INCOMING_NAPI_ID", "SO_KEEPALIVE", "SO_LINGER", "SO_RCVBUF",
                    "SO_REUSEADDR", "SO_REUSEPORT", "SO_SNDBUF", "TCP_KEEPCOUNT", "TCP_KEEPIDLE", "TCP_KEEPINTERVAL",
                    "TCP_NODELAY", "TCP_QUICKACK");
            assertEquals(Differences.supportedOptions(pair.client, socket), names(pair.client.supportedOptions()));
            assertEquals(Differences.supportedOptions(pair.server, socket), names(pair.server.supportedOptions()));
            assertTrue(names(listener.supportedOptions()).containsAll(
                    Set.of("SO_RCVBUF", "SO_REUSEADDR", "SO_REUSEPORT")));
        }
    }

    private static Set<String> names(Set<SocketOption<?>> options) {
        return options.stream().map(SocketOption::name).collect(Collectors.toCollection(TreeSet::new));
    }

    @Start.AtEach
    void theOldSetters(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Socket near = ends.near();
            near.setTcpNoDelay(true);
            assertTrue(near.getTcpNoDelay());
            near.setKeepAlive(true);
            assertTrue(near.getKeepAlive());
            near.setSoLinger(true, 100_000);
            assertEquals(65_535, near.getSoLinger());
            near.setSoLinger(false, 0);
            assertEquals(-1, near.getSoLinger());
            near.setSoTimeout(1234);
            assertEquals(1234, near.getSoTimeout());
            assertFalse(near.getOOBInline());
            near.setOOBInline(true);
            assertTrue(near.getOOBInline());
            assertEquals(near == ends.pair().server, near.getReuseAddress());
            near.setTrafficClass(0x10);
            assertEquals(0x10, near.getTrafficClass());
            near.setSendBufferSize(40_000);
            assertTrue(near.getSendBufferSize() >= 40_000);
            assertEquals(Differences.hasChannel(start.atClient()), near.getChannel() != null);
        }
    }

    @Test
    void optionsBeforeConnecting() throws Exception {
        try (ServerSocket listener = Pair.listener(); Socket client = new Socket()) {
            client.setTcpNoDelay(true);
            client.setSoTimeout(4321);
            client.bind(new InetSocketAddress("127.0.0.1", 0));
            int port = client.getLocalPort();
            client.connect(listener.getLocalSocketAddress());
            try (Pair pair = Pair.of(client, listener.accept())) {
                assertEquals(port, pair.server.getPort());
                assertTrue(client.getTcpNoDelay());
                assertEquals(4321, client.getSoTimeout());
                pair.converse();
            }
        }
    }

    @Test
    void aPortInUse() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            assertEquals("Address already in use", assertThrows(BindException.class, () -> new ServerSocket(
                    listener.getLocalPort(), 50, listener.getInetAddress()).close()).getMessage());
        }
    }

    @Test
    void connectingTwice() throws Exception {
        try (Pair pair = Pair.fresh()) {
            Failure.CONNECTED.assertThrown(pair.client, () -> pair.client.connect(pair.client.getRemoteSocketAddress()));
            pair.converse();
        }
    }

    @Test
    void optionsOfAListener() throws Exception {
        Subject.current();
        try (ServerSocket listener = new ServerSocket()) {
            Set<String> names = new TreeSet<>(Set.of("IP_TOS", "SO_INCOMING_NAPI_ID", "SO_RCVBUF", "SO_REUSEADDR",
                    "SO_REUSEPORT", "TCP_KEEPCOUNT", "TCP_KEEPIDLE", "TCP_KEEPINTERVAL", "TCP_QUICKACK"));
            assertEquals(names, names(listener.supportedOptions()));
            assertTrue(listener.getReuseAddress());
            listener.setReuseAddress(false);
            assertFalse(listener.getReuseAddress());
            assertEquals(0, listener.getOption(StandardSocketOptions.IP_TOS));
            listener.setOption(StandardSocketOptions.IP_TOS, 0x10);
            assertEquals(0x10, listener.getOption(StandardSocketOptions.IP_TOS));
            assertThrows(IllegalArgumentException.class,
                    () -> listener.setOption(StandardSocketOptions.IP_TOS, 256));
            assertThrows(UnsupportedOperationException.class,
                    () -> listener.setOption(StandardSocketOptions.TCP_NODELAY, true));
            assertThrows(IllegalArgumentException.class, () -> listener.setReceiveBufferSize(0));
            listener.setReceiveBufferSize(30_000);
            int size = listener.getReceiveBufferSize();
            assertTrue(size >= 30_000);
            listener.bind(new InetSocketAddress("127.0.0.1", 0));
            try (Pair pair = Pair.via(listener)) {
                assertEquals(size, pair.server.getReceiveBufferSize(), "inherited");
                assertEquals(0x10, pair.server.getTrafficClass(), "inherited");
                assertEquals(0, pair.client.getTrafficClass());
            }
        }
    }

    @Test
    void anAddressThatCanNotBeBoundAndOneThatCan() throws Exception {
        Subject.current();
        InetAddress elsewhere = InetAddress.getByName("192.0.2.1");
        try (ServerSocket listener = new ServerSocket(); Socket client = new Socket()) {
            assertEquals("Cannot assign requested address", assertThrows(BindException.class,
                    () -> listener.bind(new InetSocketAddress(elsewhere, 0))).getMessage());
            assertFalse(listener.isBound());
            listener.bind(new InetSocketAddress("127.0.0.1", 0));
            assertEquals("Already bound", assertThrows(SocketException.class,
                    () -> listener.bind(new InetSocketAddress("127.0.0.1", 0))).getMessage());
            assertEquals(new InetSocketAddress("127.0.0.1", listener.getLocalPort()), listener.getLocalSocketAddress());

            assertEquals("Cannot assign requested address", assertThrows(BindException.class,
                    () -> client.bind(new InetSocketAddress(elsewhere, 0))).getMessage());
            client.bind(null);
            assertTrue(client.getLocalPort() > 0);
            assertTrue(client.getLocalAddress().isAnyLocalAddress());
            client.connect(listener.getLocalSocketAddress());
            assertEquals("127.0.0.1", client.getLocalAddress().getHostAddress());
        }
    }
}
