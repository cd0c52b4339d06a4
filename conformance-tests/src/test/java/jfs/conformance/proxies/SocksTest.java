package jfs.conformance.proxies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Relay;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Subject;
import jfs.stat.Reason;
import jfs.stat.Stats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plain sockets go through the SOCKS proxy that the system's proxy selector names. */
class SocksTest {

    private static final int[] REPLY = {5, 0, 0, 1, 127, 0, 0, 1, 0, 80};

    static void send(OutputStream out, int... bytes) throws IOException {
        byte[] all = new byte[bytes.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) bytes[i];
        }
        out.write(all);
    }

    static String counted(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readUnsignedByte()));
    }

    static void greet5(DataInputStream in, OutputStream out, int method) throws IOException {
        assertEquals(5, in.readUnsignedByte());
        String methods = counted(in);
        assertTrue(methods.indexOf(method) >= 0 || method > 2);
        send(out, 5, method);
    }

    /** Reads a request of version 5 and answers it. */
    static InetSocketAddress request5(DataInputStream in, OutputStream out) throws IOException {
        assertEquals(5, in.readUnsignedByte());
        assertEquals(1, in.readUnsignedByte());
        assertEquals(0, in.readUnsignedByte());
        InetAddress address = switch (in.readUnsignedByte()) {
            case 1 -> InetAddress.getByAddress(in.readNBytes(4));
            case 4 -> InetAddress.getByAddress(in.readNBytes(16));
            default -> InetAddress.getByName(counted(in).replace("far.invalid", "127.0.0.1"));
        };
        InetSocketAddress target = new InetSocketAddress(address, in.readUnsignedShort());
        send(out, REPLY);
        return target;
    }

    /** Reads a request of version 4 and answers it. */
    static InetSocketAddress request4(DataInputStream in, OutputStream out) throws IOException {
        assertEquals(4, in.readUnsignedByte());
        assertEquals(1, in.readUnsignedByte());
        int port = in.readUnsignedShort();
        InetAddress address = InetAddress.getByAddress(in.readNBytes(4));
        StringBuilder user = new StringBuilder();
        for (int c = in.read(); c > 0; c = in.read()) {
            user.append((char) c);
        }
        assertEquals(System.getProperty("user.name"), user.toString());
        send(out, 0, 90, 0, 0, 0, 0, 0, 0);
        return new InetSocketAddress(address, port);
    }

    static final class Selector extends ProxySelector {
        final SocketAddress proxy;
        final List<URI> asked = new CopyOnWriteArrayList<>();
        final List<SocketAddress> failed = new CopyOnWriteArrayList<>();

        Selector(SocketAddress proxy) {
            this.proxy = proxy;
        }

        @Override
        public List<Proxy> select(URI uri) {
            asked.add(uri);
            return List.of(new Proxy(Proxy.Type.SOCKS, proxy));
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException e) {
            failed.add(address);
        }
    }

    private final ProxySelector before = ProxySelector.getDefault();
    private ServerSocket listener;

    @BeforeEach
    void listen() throws IOException {
        listener = Pair.listener();
    }

    @AfterEach
    void end() throws IOException {
        ProxySelector.setDefault(before);
        Authenticator.setDefault(null);
        System.clearProperty("socksProxyVersion");
        listener.close();
    }

    private void assertReachesThrough(Relay relay, SocketAddress target) throws Exception {
        Selector selector = new Selector(relay.address());
        ProxySelector.setDefault(selector);
        long proxied = Stats.fallbacks(Reason.PROXIED);
        try (Socket client = new Socket()) {
            client.connect(target, 10_000);
            assertEquals(proxied + (Subject.current().switches() ? 1 : 0), Stats.fallbacks(Reason.PROXIED));
            assertEquals("[socket://" + ((InetSocketAddress) target).getHostString() + ":" + listener.getLocalPort()
                    + "]", selector.asked.toString());
            assertEquals(listener.getLocalPort(), client.getPort());
            assertEquals(((InetSocketAddress) target).getAddress(), client.getInetAddress());
            try (Pair pair = Pair.of(client, listener.accept())) {
                for (int i = 0; i < 20; i++) {
                    pair.pingPong();
                }
                client.setSoTimeout(10_000); // the time-out of the handshake is not left behind
                client.getOutputStream().write(Bytes.of(1, 0, 300_000));
                client.shutdownOutput();
                assertEquals(300_000, Bytes.expectToEnd(pair.server.getInputStream(), 1));
                pair.server.close();
                assertEquals(-1, client.getInputStream().read());
                assertEquals(0, pair.counted().attached(), "nothing that the proxy does not see");
            }
        }
    }

    @Test
    void withoutAuthentication() throws Exception {
        try (Relay relay = new Relay((in, out) -> {
            greet5(in, out, 0);
            return request5(in, out);
        })) {
            assertReachesThrough(relay, listener.getLocalSocketAddress());
        }
    }

    @Test
    void toANameThatOnlyTheProxyKnows() throws Exception {
        try (Relay relay = new Relay((in, out) -> {
            greet5(in, out, 0);
            return request5(in, out);
        })) {
            assertReachesThrough(relay, InetSocketAddress.createUnresolved("far.invalid", listener.getLocalPort()));
        }
    }

    @Test
    void withAPassword() throws Exception {
        Authenticator.setDefault(new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                assertEquals("SOCKS5", getRequestingProtocol());
                return new PasswordAuthentication("me", "secret".toCharArray());
            }
        });
        try (Relay relay = new Relay((in, out) -> {
            greet5(in, out, 2);
            assertEquals(1, in.readUnsignedByte());
            assertEquals("me", counted(in));
            assertEquals("secret", counted(in));
            send(out, 1, 0);
            return request5(in, out);
        })) {
            assertReachesThrough(relay, listener.getLocalSocketAddress());
        }
    }

    @Test
    void aVersion4Proxy() throws Exception {
        System.setProperty("socksProxyVersion", "4");
        try (Relay relay = new Relay(SocksTest::request4)) {
            assertReachesThrough(relay, listener.getLocalSocketAddress());
        }
    }

    @Side.AtEach
    void aVersion4ProxyTakesNoNames(Side side) throws Exception {
        System.setProperty("socksProxyVersion", "4");
        try (Relay relay = new Relay(SocksTest::request4)) {
            ProxySelector.setDefault(new Selector(relay.address()));
            side.sameAsJdk(seen -> seen
                    .see("a name", () -> new Socket().connect(InetSocketAddress.createUnresolved("far.invalid", 5)))
                    .see("IPv6", () -> new Socket("::1", 5)));
        }
    }

    private void assertFails(String message, SocketAddress proxy) {
        ProxySelector.setDefault(new Selector(proxy));
        SocketException e = assertThrows(SocketException.class,
                () -> new Socket(listener.getInetAddress(), listener.getLocalPort()).close());
        assertEquals(message, e.getMessage());
    }

    @Test
    void refusals() throws Exception {
        try (Relay relay = new Relay((in, out) -> {
            greet5(in, out, 0xff);
            return null;
        })) {
            assertFails("SOCKS : No acceptable methods", relay.address());
        }
        try (Relay relay = new Relay((in, out) -> {
            greet5(in, out, 2);
            in.readUnsignedByte();
            counted(in);
            counted(in);
            send(out, 1, 1);
            return null;
        })) {
            assertFails("SOCKS : authentication failed", relay.address());
        }
        try (Relay relay = new Relay((in, out) -> {
            greet5(in, out, 0);
            in.readNBytes(10);
            send(out, 5, 5, 0, 1, 0, 0, 0, 0, 0, 0);
            return null;
        })) {
            assertFails("SOCKS: Connection refused", relay.address());
        }
        try (Relay relay = new Relay((in, out) -> {
            in.readNBytes(4);
            out.close();
            return null;
        })) {
            assertFails("Malformed reply from SOCKS server", relay.address());
        }
    }

    @Test
    void aProxyThatIsNotThere() throws Exception {
        Selector selector;
        try (ServerSocketChannel gone = ServerSocketChannel.open()) {
            gone.bind(new InetSocketAddress("127.0.0.1", 0));
            selector = new Selector(gone.getLocalAddress());
        }
        ProxySelector.setDefault(selector);
        SocketException e = assertThrows(SocketException.class,
                () -> new Socket(listener.getInetAddress(), listener.getLocalPort()).close());
        assertEquals("Can't connect to SOCKS proxy:Connection refused", e.getMessage());
        assertEquals(List.of(selector.proxy), selector.failed);
    }

    @Test
    void aProxyThatDoesNotAnswer() throws Exception {
        try (Relay relay = new Relay((in, out) -> {
            in.readNBytes(5);
            return null;
        }); Socket client = new Socket()) {
            ProxySelector.setDefault(new Selector(relay.address()));
            assertEquals("Connect timed out", assertThrows(SocketTimeoutException.class,
                    () -> client.connect(listener.getLocalSocketAddress(), 50)).getMessage());
        }
    }
}
