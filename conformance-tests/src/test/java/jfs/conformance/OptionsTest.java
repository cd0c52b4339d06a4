package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Addresses, options, and connecting: what is not about bytes. */
class OptionsTest {

    @Start.AtEach
    void addresses(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Socket near = ends.near();
            Socket far = ends.far();
            InetAddress loopback = InetAddress.getByName("127.0.0.1");
            assertEquals(loopback, near.getInetAddress());
            assertEquals(loopback, near.getLocalAddress());
            assertEquals(far.getLocalPort(), near.getPort());
            assertEquals(far.getPort(), near.getLocalPort());
            assertEquals(far.getLocalSocketAddress(), near.getRemoteSocketAddress());
            assertEquals("Socket[addr=/127.0.0.1,port=" + near.getPort() + ",localport=" + near.getLocalPort() + "]",
                    near.toString().replace("localhost", ""));
            assertTrue(near.isConnected() && near.isBound() && !near.isClosed());
            SocketAddress remote = near.getRemoteSocketAddress();
            int localPort = near.getLocalPort();
            near.close();
            assertEquals(remote, near.getRemoteSocketAddress(), "remembered after close");
            assertEquals(localPort, near.getLocalPort());
            assertTrue(near.getLocalAddress().isAnyLocalAddress());
            assertTrue(near.isConnected() && near.isBound() && near.isClosed());
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

    @Test
    void supportedOptions() throws Exception {
        try (Pair pair = Pair.fresh(); ServerSocket listener = Pair.listener()) {
            Set<String> socket = Set.of("IP_TOS", "SO_INCOMING_NAPI_ID", "SO_KEEPALIVE", "SO_LINGER", "SO_RCVBUF",
                    "SO_REUSEADDR", "SO_REUSEPORT", "SO_SNDBUF", "TCP_KEEPCOUNT", "TCP_KEEPIDLE", "TCP_KEEPINTERVAL",
                    "TCP_NODELAY", "TCP_QUICKACK");
            assertEquals(new TreeSet<>(socket), names(pair.client.supportedOptions()));
            assertEquals(new TreeSet<>(socket), names(pair.server.supportedOptions()));
            assertTrue(names(listener.supportedOptions()).containsAll(
                    Set.of("SO_RCVBUF", "SO_REUSEADDR", "SO_REUSEPORT")));
        }
    }

    private static Set<String> names(Set<SocketOption<?>> options) {
        return options.stream().map(SocketOption::name).collect(Collectors.toCollection(TreeSet::new));
    }

    @Start.AtEach
    void everyOptionKeepsItsValue(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            for (SocketOption<?> option : ends.near().supportedOptions()) {
                switch (option.name()) {
                    case "SO_INCOMING_NAPI_ID" -> assertThrows(SocketException.class,
                            () -> roundTrip(ends.near(), option, 1));
                    case "TCP_QUICKACK" -> ends.near().getOption(option); // the kernel changes it as it likes
                    case "SO_RCVBUF", "SO_SNDBUF" -> roundTripAtLeast(ends.near(), option, 50_000);
                    case "IP_TOS" -> roundTrip(ends.near(), option, 0x10);
                    default -> {
                        if (option.type() == Boolean.class) {
                            roundTrip(ends.near(), option, true);
                            roundTrip(ends.near(), option, false);
                        } else {
                            roundTrip(ends.near(), option, 5);
                        }
                    }
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> void roundTrip(Socket socket, SocketOption<?> option, T value) throws Exception {
        assertEquals(socket, socket.setOption((SocketOption<T>) option, value));
        assertEquals(value, socket.getOption(option), option.name());
    }

    @SuppressWarnings("unchecked")
    private static void roundTripAtLeast(Socket socket, SocketOption<?> option, int value) throws Exception {
        socket.setOption((SocketOption<Integer>) option, value);
        assertTrue((Integer) socket.getOption(option) >= value, option.name());
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
            assertNull(near.getChannel());
        }
    }

    @Test
    void anUnsupportedOption() throws Exception {
        try (Pair pair = Pair.fresh()) {
            assertThrows(UnsupportedOperationException.class,
                    () -> pair.client.getOption(StandardSocketOptions.IP_MULTICAST_LOOP));
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
            SocketException e = assertThrows(SocketException.class,
                    () -> pair.client.connect(pair.client.getRemoteSocketAddress()));
            assertEquals("already connected", e.getMessage().toLowerCase(Locale.ROOT));
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
    void valuesThatAreNotAllowed() throws Exception {
        try (Pair pair = Pair.fresh()) {
            Socket client = pair.client;
            assertThrows(IllegalArgumentException.class,
                    () -> client.setOption(StandardSocketOptions.SO_SNDBUF, -1));
            assertThrows(IllegalArgumentException.class, () -> client.setOption(StandardSocketOptions.IP_TOS, 256));
            assertThrows(IllegalArgumentException.class, () -> roundTrip(client, StandardSocketOptions.TCP_NODELAY, 1));
            client.setOption(StandardSocketOptions.SO_LINGER, -5);
            assertEquals(-1, client.getOption(StandardSocketOptions.SO_LINGER));
            client.setTrafficClass(0xff);
            assertEquals(0xfc, client.getTrafficClass());
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
