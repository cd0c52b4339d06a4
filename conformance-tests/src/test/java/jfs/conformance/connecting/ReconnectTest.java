package jfs.conformance.connecting;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Transcript;
import jfs.testing.Await;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One connection after another between the same two ports (NEG-1). The server's old sockets still seem connected to the
 * client's port. No byte of theirs may come to the new connection.
 */
class ReconnectTest {

    private static final int ROUNDS = 5;

    /** The state of the old connection when it is reset. */
    enum Old {
        UNUSED, UNREAD_AND_UNSWITCHED, SWITCHED, UNREAD, HALF_READ, BOTH_WAYS_UNREAD
    }

    private static Socket from(int port) throws IOException {
        Socket client = new Socket();
        client.setReuseAddress(true);
        client.bind(new InetSocketAddress("127.0.0.1", port));
        return client;
    }

    private static void use(Pair pair, Old old, long seed) throws Exception {
        if (old == Old.UNUSED) {
            return;
        }
        if (old != Old.UNREAD_AND_UNSWITCHED) {
            pair.converse();
        }
        if (old != Old.SWITCHED) {
            pair.client.getOutputStream().write(Bytes.of(seed, 0, 50_000));
        }
        if (old == Old.HALF_READ) {
            Bytes.expect(pair.server.getInputStream(), seed, 0, 20_000);
        }
        if (old == Old.BOTH_WAYS_UNREAD) {
            pair.server.getOutputStream().write(Bytes.of(~seed, 0, 50_000));
        }
    }

    /** The next socket is bound to the port before the old one is closed. */
    @ParameterizedTest
    @EnumSource
    void afterAReset(Old old) throws Exception {
        List<Socket> oldServers = new ArrayList<>();
        Side.current();
        try (ServerSocket listener = Pair.listener()) {
            Socket next = from(0);
            for (int round = 0; round < ROUNDS; round++) {
                Socket client = next;
                client.connect(listener.getLocalSocketAddress());
                Pair pair = Pair.of(client, listener.accept());
                oldServers.add(pair.server);
                assertEquals(client.getLocalPort(), pair.server.getPort());
                use(pair, old, round);
                next = from(client.getLocalPort());
                client.setSoLinger(true, 0);
                client.close();
            }
            next.connect(listener.getLocalSocketAddress());
            try (Pair last = Pair.of(next, listener.accept())) {
                last.converse();
                last.client.getOutputStream().write(Bytes.of(77, 0, 300_000));
                Bytes.expect(last.server.getInputStream(), 77, 0, 300_000);
                for (int round = 0; round < ROUNDS; round++) {
                    Socket server = oldServers.get(round);
                    server.setSoTimeout(1_000);
                    assertEquals("Connection reset", endOf(server, old == Old.HALF_READ ? 20_000 : 0, round));
                }
                last.pingPong();
            }
        } finally {
            for (Socket server : oldServers) {
                server.close();
            }
        }
    }

    /** Reads the rest of the stream. The bytes that arrive must be the stream's. */
    private static String endOf(Socket server, int at, long seed) throws IOException {
        byte[] bytes = new byte[1 << 16];
        try {
            for (int n = server.getInputStream().read(bytes); n >= 0; n = server.getInputStream().read(bytes)) {
                byte[] expected = Bytes.of(seed, at, n);
                assertEquals(-1, Arrays.mismatch(bytes, 0, n, expected, 0, n));
                at += n;
            }
            return "end";
        } catch (SocketException e) {
            return e.getMessage();
        }
    }

    /**
     * The end that closes first keeps the connection's addresses for a while. If that is the server's end, the kernel gives
     * them up for a new connection.
     */
    @Side.AtEach
    void afterTheServersClose(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = Pair.listener()) {
                Socket next = from(0);
                for (int round = 0; round < 3; round++) {
                    next = oneOfSeveral(seen, next, listener, false);
                }
                next.close();
            }
        });
    }

    /**
     * The client's next connection comes from the same port but goes to another one. The kernel decides by its clock when
     * the same two ports may be used again.
     */
    @Side.AtEach
    void afterTheClientsClose(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            Socket next = from(0);
            for (int round = 0; round < 3; round++) {
                try (ServerSocket listener = Pair.listener()) {
                    next = oneOfSeveral(seen, next, listener, true);
                }
            }
            next.close();
        });
    }

    /**
     * Connects. While the kernel is still ending the connection before, the connect fails. It is then repeated from the
     * same port.
     */
    private static Socket connected(Socket first, ServerSocket listener) throws Exception {
        int port = first.getLocalPort();
        Socket[] client = {first};
        Await.until("the one before has ended", () -> {
            try {
                client[0].connect(listener.getLocalSocketAddress());
                return true;
            } catch (BindException | NoRouteToHostException e) { // the JDK throws either for EADDRNOTAVAIL
                client[0].close();
                client[0] = from(port);
                return false;
            }
        });
        return client[0];
    }

    /** @return the next client, on the same port */
    private static Socket oneOfSeveral(Transcript seen, Socket first, ServerSocket listener, boolean clientFirst)
            throws Exception {
        seen.port("listener", listener.getLocalPort()).port("client", first.getLocalPort());
        Socket client = connected(first, listener);
        client.setTcpNoDelay(true);
        seen.line(Transcript.state(client));
        Socket next = from(client.getLocalPort());
        try (Socket server = listener.accept(); client) {
            server.setTcpNoDelay(true);
            for (int i = 0; i < 30; i++) {
                client.getOutputStream().write(i);
                seen.see("there", () -> server.getInputStream().read());
                server.getOutputStream().write(i);
                seen.see("back", () -> client.getInputStream().read());
            }
            (clientFirst ? client : server).close();
            seen.see("end", () -> (clientFirst ? server : client).getInputStream().read());
        }
        return next;
    }
}
