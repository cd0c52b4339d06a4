package jfs.conformance.proxies;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.List;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Relay;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Transcript;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sockets that are made for a proxy, or for no proxy. */
class ProxyTest {

    private static InetSocketAddress socks(DataInputStream in, OutputStream out) throws IOException {
        SocksTest.greet5(in, out, 0);
        return SocksTest.request5(in, out);
    }

    private static InetSocketAddress http(DataInputStream in, OutputStream out) throws IOException {
        String[] request = line(in).split(" ");
        while (!line(in).isEmpty()) {
            // a header
        }
        assertEquals("CONNECT", request[0]);
        int colon = request[1].lastIndexOf(':');
        String host = request[1].substring(0, colon).replace("far.invalid", "127.0.0.1");
        out.write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes());
        return new InetSocketAddress(host, Integer.parseInt(request[1].substring(colon + 1)));
    }

    private static InetSocketAddress forbid(DataInputStream in, OutputStream out) throws IOException {
        while (!line(in).isEmpty()) {
            // the request
        }
        out.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".getBytes());
        return null;
    }

    private static InetSocketAddress refuse(DataInputStream in, OutputStream out) throws IOException {
        SocksTest.greet5(in, out, 0);
        in.readNBytes(10);
        SocksTest.send(out, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0);
        return null;
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            line.append((char) c);
        }
        return line.toString().trim();
    }

    /** A kind of proxy: its type, and what it does when it accepts and when it refuses. */
    private record Kind(Proxy.Type type, Relay.Handshake accepts, Relay.Handshake refuses) {
    }

    private static final List<Kind> KINDS = List.of(new Kind(Proxy.Type.SOCKS, ProxyTest::socks, ProxyTest::refuse),
            new Kind(Proxy.Type.HTTP, ProxyTest::http, ProxyTest::forbid));

    private final ProxySelector before = ProxySelector.getDefault();

    @AfterEach
    void end() {
        ProxySelector.setDefault(before);
    }

    /** Connects through the proxy and, if that works, talks to the other end. */
    private static void talk(Transcript seen, String what, Proxy proxy, ServerSocket listener, SocketAddress target)
            throws Exception {
        try (Socket client = new Socket(proxy)) {
            client.setTcpNoDelay(true);
            client.setSoTimeout(9_000);
            seen.line(Transcript.state(client));
            seen.see(what, () -> client.connect(target, 10_000));
            seen.port("client", client.getLocalPort());
            seen.line(Transcript.state(client));
            if (!client.isConnected()) {
                seen.see("again", () -> client.connect(target, 10_000));
                seen.line(Transcript.state(client));
                return;
            }
            seen.see("option", client::getTcpNoDelay);
            seen.see("time-out", client::getSoTimeout);
            try (Socket server = listener.accept()) {
                for (int i = 0; i < 20; i++) {
                    client.getOutputStream().write(i);
                    seen.see("there", () -> server.getInputStream().read());
                    server.getOutputStream().write(i);
                    seen.see("back", () -> client.getInputStream().read());
                }
                client.getOutputStream().write(Bytes.of(1, 0, 300_000));
                seen.see("bytes", () -> Bytes.expect(server.getInputStream(), 1, 0, 300_000));
                server.getOutputStream().write(Bytes.of(2, 0, 300_000));
                seen.see("bytes back", () -> Bytes.expect(client.getInputStream(), 2, 0, 300_000));
                client.shutdownOutput();
                seen.see("end", () -> server.getInputStream().read());
                server.close();
                seen.see("end back", () -> client.getInputStream().read());
            }
        }
    }

    @Side.AtEach
    void throughIt(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (Kind kind : KINDS) {
                try (Relay relay = new Relay(kind.accepts); ServerSocket listener = Pair.listener()) {
                    seen.port("listener", listener.getLocalPort()).port("proxy", relay.address().getPort());
                    Proxy proxy = new Proxy(kind.type, relay.address());
                    talk(seen, "an address", proxy, listener, listener.getLocalSocketAddress());
                    talk(seen, "a name", proxy, listener,
                            InetSocketAddress.createUnresolved("far.invalid", listener.getLocalPort()));
                }
            }
        });
    }

    /** A proxy that runs JFS is a peer like any other. */
    @Side.AtEach
    void throughOneOfTheSameKind(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (Kind kind : KINDS) {
                try (Relay relay = new Relay(Pair.listener(), kind.accepts); ServerSocket listener = Pair.listener()) {
                    seen.port("listener", listener.getLocalPort()).port("proxy", relay.address().getPort());
                    talk(seen, "an address", new Proxy(kind.type, relay.address()), listener,
                            listener.getLocalSocketAddress());
                }
            }
        });
    }

    @Side.AtEach
    void itRefuses(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (Kind kind : KINDS) {
                try (Relay relay = new Relay(kind.refuses); ServerSocket listener = Pair.listener()) {
                    seen.port("listener", listener.getLocalPort()).port("proxy", relay.address().getPort());
                    talk(seen, "refused", new Proxy(kind.type, relay.address()), listener,
                            listener.getLocalSocketAddress());
                }
            }
        });
    }

    @Side.AtEach
    void itIsNotThere(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            for (Kind kind : KINDS) {
                try (ServerSocket listener = Pair.listener(); ServerSocket gone = Pair.listener()) {
                    gone.close();
                    seen.port("listener", listener.getLocalPort()).port("proxy", gone.getLocalPort());
                    Proxy proxy = new Proxy(kind.type, new InetSocketAddress("127.0.0.1", gone.getLocalPort()));
                    talk(seen, "nobody", proxy, listener, listener.getLocalSocketAddress());
                }
            }
        });
    }

    @Side.AtEach
    void argumentsThatAreWrong(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            seen.see("null", () -> new Socket((Proxy) null));
            for (Kind kind : KINDS) {
                try (Socket socket = new Socket(new Proxy(kind.type, new InetSocketAddress("127.0.0.1", 1)))) {
                    seen.see("nowhere", () -> socket.connect(null));
                    seen.see("another kind of address", () -> socket.connect(new SocketAddress() { }));
                    seen.see("bind", () -> socket.bind(new InetSocketAddress("127.0.0.2", 0)));
                    seen.port("local", socket.getLocalPort());
                    seen.line(Transcript.state(socket));
                }
            }
        });
    }

    /** A socket made with NO_PROXY uses none, whatever the system's settings say. */
    @Side.AtEach
    void noProxyIsNone(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = Pair.listener(); ServerSocket gone = Pair.listener()) {
                gone.close();
                seen.port("listener", listener.getLocalPort()).port("proxy", gone.getLocalPort());
                SocksTest.Selector selector = new SocksTest.Selector(
                        new InetSocketAddress("127.0.0.1", gone.getLocalPort()));
                ProxySelector.setDefault(selector);
                talk(seen, "none", Proxy.NO_PROXY, listener, listener.getLocalSocketAddress());
                seen.line("asked " + selector.asked);
                seen.see("the settings'", () -> new Socket(listener.getInetAddress(), listener.getLocalPort()));
                seen.line("asked " + selector.asked);
            }
        });
    }

    @Test
    void withoutAProxyItCanBeFast() throws Exception {
        ProxySelector.setDefault(new SocksTest.Selector(new InetSocketAddress("127.0.0.1", 1)));
        try (ServerSocket listener = Pair.listener(); Socket client = new Socket(Proxy.NO_PROXY)) {
            client.connect(listener.getLocalSocketAddress());
            try (Pair pair = Pair.of(client, listener.accept())) {
                pair.converse();
            }
        }
    }

    /** The system's settings may name a proxy of any kind. Plain sockets use SOCKS only. */
    @Side.AtEach
    void theSettingsNameAProxyForOthers(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = Pair.listener()) {
                seen.port("listener", listener.getLocalPort());
                ProxySelector.setDefault(ProxySelector.of(new InetSocketAddress("127.0.0.1", 1))); // an HTTP proxy
                try (Socket client = new Socket(InetAddress.getByName("127.0.0.1"), listener.getLocalPort());
                        Socket server = listener.accept()) {
                    seen.port("client", client.getLocalPort());
                    seen.line(Transcript.state(client)).line(Transcript.state(server));
                }
            }
        });
    }
}
