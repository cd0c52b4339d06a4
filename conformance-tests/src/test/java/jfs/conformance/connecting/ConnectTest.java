package jfs.conformance.connecting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.Callable;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Family;
import jfs.conformance.harness.FullListener;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Subject;
import jfs.conformance.harness.Transcript;
import jfs.testing.Background;
import jfs.testing.VirtualThreads;
import org.junit.jupiter.api.Test;

/** Connecting to an address that answers, that refuses, or that does neither. */
class ConnectTest {

    private static void assertClosed(Socket socket) {
        SocketException e = assertThrows(SocketException.class,
                () -> socket.connect(new InetSocketAddress("127.0.0.1", 1)));
        // JDK 17 and later JDKs have different messages.
        assertTrue(e.getMessage().equals("Socket closed") || e.getMessage().equals("Socket is closed"), e.getMessage());
    }

    /** Writes down what a constructor makes. */
    private static void seeNew(Transcript seen, String how, Callable<Socket> constructor) {
        seen.see(how, () -> {
            try (Socket socket = constructor.call()) {
                seen.port("local", socket.getLocalPort());
                return Transcript.state(socket);
            }
        });
    }

    private static SocketAddress nobody(Family family) throws IOException {
        try (ServerSocket listener = family.listener()) {
            return new InetSocketAddress(family.address(), listener.getLocalPort());
        }
    }

    private static int port(SocketAddress address) {
        return ((InetSocketAddress) address).getPort();
    }

    @Side.AtEach
    @SuppressWarnings("deprecation")
    void everyConstructor(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = new ServerSocket(0)) {
                int port = listener.getLocalPort();
                seen.port("listener", port);
                InetAddress loopback = InetAddress.getByName("127.0.0.1");
                seeNew(seen, "none", Socket::new);
                seeNew(seen, "name", () -> new Socket("localhost", port));
                seeNew(seen, "literal", () -> new Socket("127.0.0.1", port));
                seeNew(seen, "literal of IPv6", () -> new Socket("::1", port));
                seeNew(seen, "null for the loopback address", () -> new Socket((String) null, port));
                seeNew(seen, "address", () -> new Socket(loopback, port));
                seeNew(seen, "stream", () -> new Socket("127.0.0.1", port, true));
                seeNew(seen, "stream to an address", () -> new Socket(loopback, port, true));
                seeNew(seen, "from any", () -> new Socket(loopback, port, null, 0));
                seeNew(seen, "from another address", () -> new Socket("127.0.0.1", port,
                        InetAddress.getByName("127.0.0.3"), 0));
                seeNew(seen, "from a port", () -> new Socket(loopback, port, loopback, freePort()));
                seeNew(seen, "from the other family", () -> new Socket("127.0.0.1", port,
                        InetAddress.getByName("::1"), 0));
                seeNew(seen, "from an address of nobody's here", () -> new Socket(loopback, port,
                        InetAddress.getByName("203.0.113.1"), 0));
                seeNew(seen, "from a port that is taken", () -> new Socket("127.0.0.1", port, loopback, port));
            }
        });
    }

    /** JDK 17 still makes a datagram socket. Over channels JFS refuses it on every JDK. */
    @Side.AtEach
    @SuppressWarnings("deprecation")
    void theDeprecatedConstructorOfDatagramSockets(Side side) throws Exception {
        assumeTrue(Subject.current() != Subject.NIO && Subject.current() != Subject.NIO_SCI,
                "on a subject over channels JFS refuses to make a datagram socket");
        side.sameAsJdk(seen -> {
            try (DatagramSocket peer = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
                peer.setSoTimeout(5_000);
                seen.port("peer", peer.getLocalPort());
                seen.see("datagrams", () -> {
                    try (Socket socket = new Socket("127.0.0.1", peer.getLocalPort(), false)) {
                        seen.port("local", socket.getLocalPort());
                        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
                        for (int i = 0; i < 5; i++) {
                            socket.getOutputStream().write(new byte[3 + i]);
                            peer.receive(packet);
                            seen.line("received " + packet.getLength());
                            peer.send(packet);
                            seen.see("read", () -> socket.getInputStream().read(new byte[50]));
                            packet.setLength(100);
                        }
                        return Transcript.state(socket);
                    }
                });
            }
        });
    }

    private static int freePort() throws IOException {
        return port(nobody(Family.IPV4));
    }

    @Side.AtEach
    void argumentsThatAreWrong(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            InetAddress loopback = InetAddress.getByName("127.0.0.1");
            seeNew(seen, "no address", () -> new Socket((InetAddress) null, 1));
            seeNew(seen, "no address, from there", () -> new Socket((InetAddress) null, 1, loopback, 0));
            for (int port : new int[] {-1, 65536}) {
                seeNew(seen, "to port " + port, () -> new Socket(loopback, port));
                seeNew(seen, "to a name's port " + port, () -> new Socket("localhost", port));
                seeNew(seen, "from port " + port, () -> new Socket(loopback, 1, loopback, port));
            }
            try (Socket socket = new Socket()) {
                seen.see("nowhere", () -> socket.connect(null));
                seen.see("nowhere in time", () -> socket.connect(null, 5));
                seen.see("negative time", () -> socket.connect(nobody(Family.IPV4), -1));
                seen.see("another kind of address", () -> socket.connect(new SocketAddress() { }));
                seen.line(Transcript.state(socket));
            }
            seeNew(seen, "a name that nobody has", () -> new Socket("nobody.invalid", 1));
        });
    }

    /** Connects that fail, for any reason, and what can be done with the socket afterwards. */
    @Side.AtEach
    void aConnectThatFails(Side side) throws Exception {
        try (FullListener full = new FullListener()) {
            for (Family family : Family.available()) {
                side.sameAsJdk(seen -> fail(seen, "refused", nobody(family), 0));
                side.sameAsJdk(seen -> fail(seen, "refused in time", nobody(family), 10_000));
            }
            side.sameAsJdk(seen -> {
                fail(seen, "late", full.address(), 100); // the JDK has no message for a time-out that is over before the connect begins
                fail(seen, "unresolved", InetSocketAddress.createUnresolved("nobody.invalid", 1), 0);
                fail(seen, "unresolved, known", InetSocketAddress.createUnresolved("localhost", 1), 10_000);
                fail(seen, "port 0", new InetSocketAddress("127.0.0.1", 0), 0);
                fail(seen, "multicast", new InetSocketAddress("224.0.0.1", 1), 0);
                fail(seen, "multicast in time", new InetSocketAddress("224.0.0.1", 1), 10_000);
                fail(seen, "broadcast", new InetSocketAddress("255.255.255.255", 1), 0);
                fail(seen, "multicast of IPv6", new InetSocketAddress("ff02::1", 1), 0);
                fail(seen, "an interface that isn't there", new InetSocketAddress(Inet6Address.getByAddress(null,
                        InetAddress.getByName("fe80::1").getAddress(), 54321), 1), 0);
            });
        }
    }

    private static void fail(Transcript seen, String how, SocketAddress to, int timeout) throws IOException {
        if (port(to) > 1) {
            seen.port("nobody", port(to));
        }
        for (boolean bound : new boolean[] {false, true}) {
            try (Socket socket = bound ? boundNotTo(port(to)) : new Socket()) {
                if (bound) {
                    seen.port("local", socket.getLocalPort());
                }
                seen.see(how + (bound ? " when bound" : ""), () -> socket.connect(to, timeout));
                seen.line(Transcript.state(socket));
                seen.see("again", () -> socket.connect(to, 10_000));
                seen.see("bind", () -> socket.bind(new InetSocketAddress("127.0.0.1", 0)));
                seen.port("local", socket.getLocalPort());
                seen.see("option", socket::getTcpNoDelay);
                seen.see("stream", socket::getInputStream);
                seen.line(Transcript.state(socket));
            }
        }
    }

    /** Binds a socket to another port than this one. From that very port it would connect to itself. */
    private static Socket boundNotTo(int port) throws IOException {
        for (;;) {
            Socket socket = new Socket();
            socket.bind(null);
            if (socket.getLocalPort() != port) {
                return socket;
            }
            socket.close();
        }
    }

    @Side.AtEach
    void aSecondConnect(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = Pair.listener(); Socket socket = new Socket()) {
                seen.port("listener", listener.getLocalPort());
                SocketAddress there = listener.getLocalSocketAddress();
                socket.setPerformancePreferences(1, 2, 0); // has no effect, as documented
                listener.setPerformancePreferences(0, 1, 2);
                socket.bind(new InetSocketAddress("127.0.0.1", 0));
                seen.port("local", socket.getLocalPort());
                seen.see("when bound", () -> socket.connect(there));
                seen.line(Transcript.state(socket));
                seen.see("when connected", () -> socket.connect(there));
                seen.see("when connected, in time", () -> socket.connect(there, 5));
                seen.see("bind", () -> socket.bind(null));
                seen.line(Transcript.state(socket));
                try (Socket server = listener.accept()) {
                    server.getOutputStream().write(7);
                    seen.see("read", () -> socket.getInputStream().read());
                }
                socket.close();
                seen.see("when closed", () -> socket.connect(there));
                seen.see("when closed, to another kind of address", () -> socket.connect(new SocketAddress() { }));
                seen.see("bind", () -> socket.bind(null));
                seen.line(Transcript.state(socket));
            }
        });
    }

    /** The kernel lets a socket connect to itself. There is no peer to switch with. */
    @Side.AtEach
    void toItself(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (Socket socket = new Socket()) {
                socket.bind(new InetSocketAddress("127.0.0.1", 0));
                seen.port("local", socket.getLocalPort());
                socket.setTcpNoDelay(true); // this end does not acknowledge early
                seen.see("connect", () -> socket.connect(socket.getLocalSocketAddress()));
                for (int i = 0; i < 10; i++) {
                    socket.getOutputStream().write(i);
                    seen.see("read", () -> socket.getInputStream().read());
                }
                socket.getOutputStream().write(Bytes.of(5, 0, 100_000));
                seen.see("bytes", () -> Bytes.expect(socket.getInputStream(), 5, 0, 100_000));
                socket.shutdownOutput();
                seen.see("end", () -> socket.getInputStream().read());
            }
        });
    }

    @Side.AtEach
    void betweenTheFamilies(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (String at : new String[] {"127.0.0.1", "::1", "0.0.0.0", "::"}) {
                for (String from : new String[] {"127.0.0.2", "::1", "0.0.0.0"}) {
                    for (String to : new String[] {"127.0.0.1", "::1", "::ffff:127.0.0.1", "::"}) {
                        try (Socket socket = new Socket(); Socket guard = new Socket();
                                ServerSocket listener = bindBoth(socket, guard, from, at)) {
                            seen.port("listener", listener.getLocalPort()).port("local", socket.getLocalPort());
                            seen.see(from + " to " + to + " at " + at, () -> socket.connect(
                                    new InetSocketAddress(to, listener.getLocalPort())));
                            seen.line(Transcript.state(socket));
                            if (socket.isConnected()) {
                                try (Socket server = listener.accept()) {
                                    seen.line(Transcript.state(server));
                                }
                            }
                        }
                    }
                }
            }
        });
    }

    /**
     * Binds a socket and a listener to different ports. The kernel may give the same port twice if the addresses differ. It
     * may also give the listener's port, at the other family's address, to another process. The guard socket prevents that.
     */
    private static ServerSocket bindBoth(Socket socket, Socket guard, String from, String at) throws IOException {
        socket.bind(new InetSocketAddress(from, 0));
        ServerSocket listener = new ServerSocket(0, 0, InetAddress.getByName(at));
        while (listener.getLocalPort() == socket.getLocalPort() || !isGuarded(guard, listener, at)) {
            listener.close();
            listener = new ServerSocket(0, 0, InetAddress.getByName(at));
        }
        return listener;
    }

    private static boolean isGuarded(Socket guard, ServerSocket listener, String at) throws IOException {
        if (listener.getInetAddress().isAnyLocalAddress()) { // the listener has the port in both families
            return true;
        }
        try {
            guard.bind(new InetSocketAddress(at.equals("::1") ? "127.0.0.1" : "::1", listener.getLocalPort()));
            return true;
        } catch (BindException e) {
            return false;
        }
    }

    @Side.AtEach
    void twoConnectsAtOnce(Side side) throws Exception {
        try (FullListener full = new FullListener()) {
            side.sameAsJdk(seen -> {
                Socket socket = new Socket();
                Background<Void> one = Background.run(() -> socket.connect(full.address())).blocked();
                Background<Void> two = Background.run(() -> socket.connect(full.address(), 1_000_000)).blocked();
                socket.close();
                seen.see("one", one);
                seen.see("two", two);
                seen.line(Transcript.state(socket));
            });
        }
    }

    @Test
    void timedOut() throws Exception {
        Subject.current();
        try (FullListener full = new FullListener(); Socket socket = new Socket()) {
            SocketTimeoutException e = assertThrows(SocketTimeoutException.class,
                    () -> socket.connect(full.address(), 20));
            assertEquals("Connect timed out", e.getMessage());
            assertEquals(0, e.bytesTransferred);
            assertClosed(socket);
        }
    }

    @Test
    void refused() throws Exception {
        Subject.current();
        SocketAddress nobody;
        try (ServerSocket listener = Pair.listener()) {
            nobody = listener.getLocalSocketAddress();
        }
        for (int timeout : new int[] {0, 1000}) {
            try (Socket socket = new Socket()) {
                ConnectException e = assertThrows(ConnectException.class, () -> socket.connect(nobody, timeout));
                assertEquals(ConnectException.class, e.getClass());
                assertEquals("Connection refused", e.getMessage());
                assertFalse(socket.isConnected());
                assertClosed(socket);
            }
        }
    }

    @Test
    void withATimeoutThatIsNotNeeded() throws Exception {
        try (ServerSocket listener = Pair.listener(); Socket client = new Socket()) {
            client.connect(listener.getLocalSocketAddress(), 10_000);
            try (Pair pair = Pair.of(client, listener.accept())) {
                pair.converse();
            }
        }
    }

    @Test
    void closedMeanwhile() throws Exception {
        Subject.current();
        try (FullListener full = new FullListener()) {
            for (int timeout : new int[] {0, 1_000_000}) {
                Socket socket = new Socket();
                Background<Void> connecting = Background.run(() -> socket.connect(full.address(), timeout)).blocked();
                socket.close();
                assertEquals("Socket closed", assertThrows(SocketException.class, connecting::result).getMessage());
            }
        }
    }

    @Test
    void anInterruptDoesNothing() throws Exception {
        Subject.current();
        try (FullListener full = new FullListener(); Socket socket = new Socket()) {
            Background<Boolean> connecting = Background.call(() -> {
                assertThrows(SocketTimeoutException.class, () -> socket.connect(full.address(), 2_000));
                return Thread.interrupted();
            }).blocked();
            connecting.thread().interrupt();
            assertTrue(connecting.result(), "the status is kept");
        }
    }

    @Test
    void anEarlierInterruptDoesNothing() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            Background<Socket> connecting = Background.call(() -> {
                Thread.currentThread().interrupt();
                Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
                assertTrue(Thread.interrupted(), "the status is kept");
                return socket;
            });
            try (Pair pair = Pair.of(connecting.result(), listener.accept())) {
                pair.converse();
            }
        }
    }

    @Test
    void toTheWildcard() throws Exception {
        InetAddress here;
        try {
            here = InetAddress.getLocalHost();
        } catch (UnknownHostException e) {
            assumeTrue(false, "the name of this host has no address: " + e);
            return;
        }
        Subject.current();
        try (ServerSocket listener = new ServerSocket(0); Socket client = new Socket()) {
            client.connect(new InetSocketAddress("0.0.0.0", listener.getLocalPort()));
            try (Pair pair = Pair.of(client, listener.accept())) {
                assertEquals(here, client.getInetAddress());
                pair.converse();
            }
        }
    }

    @Test
    void aHostNameThatDoesNotExist() throws Exception {
        Subject.current();
        try (Socket socket = new Socket()) {
            UnknownHostException e = assertThrows(UnknownHostException.class,
                    () -> socket.connect(InetSocketAddress.createUnresolved("nobody.invalid", 1)));
            assertEquals("nobody.invalid", e.getMessage());
        }
    }

    @Test
    void virtualThreads() throws Exception {
        VirtualThreads.assume();
        try (FullListener full = new FullListener(); ServerSocket listener = Pair.listener()) {
            Socket interrupted = new Socket();
            Background<Void> connecting = VirtualThreads.run(() -> {
                try {
                    interrupted.connect(full.address());
                } finally {
                    assertTrue(Thread.currentThread().isInterrupted(), "the status is kept");
                }
            }).blocked();
            connecting.thread().interrupt();
            SocketException e = assertThrows(SocketException.class, connecting::result);
            assertEquals("Closed by interrupt", e.getMessage());
            assertTrue(interrupted.isClosed());

            Socket closed = new Socket();
            Background<Void> toBeClosed = VirtualThreads.run(() -> closed.connect(full.address())).blocked();
            closed.close();
            assertEquals("Socket closed", assertThrows(SocketException.class, toBeClosed::result).getMessage());

            Background<Void> late = VirtualThreads.run(() -> new Socket().connect(full.address(), 20));
            assertInstanceOf(SocketTimeoutException.class, assertThrows(IOException.class, late::result));

            Background<Socket> good = VirtualThreads.call(
                    () -> new Socket(listener.getInetAddress(), listener.getLocalPort()));
            try (Pair pair = Pair.of(good.result(), listener.accept())) {
                pair.converse();
            }
        }
    }
}
