package jfs.conformance.connecting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Subject;
import jfs.conformance.harness.Subject.Counters;
import jfs.stat.Reason;
import jfs.testing.Await;
import jfs.testing.Effort;
import jfs.testing.Segments;
import org.junit.jupiter.api.Test;

/** Offers find an accepted connection, however its server listens and accepts. */
class ListenerTest {

    private static ServerSocket sharing(String address, int port) throws IOException {
        Subject.current();
        ServerSocket listener = new ServerSocket();
        listener.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        listener.bind(new InetSocketAddress(address, port));
        return listener;
    }

    @Test
    void closedRightAfterAccept() throws Exception {
        try (ServerSocket listener = Pair.listener(); Pair pair = Pair.via(listener)) {
            listener.close();
            pair.converse();
        }
    }

    /**
     * More connections than the table of accepted sockets has room for at first. Closed connections leave the others in
     * their places.
     */
    @Test
    void manyAreAcceptedBeforeTheFirstOffer() throws Exception {
        List<Pair> pairs = new ArrayList<>();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < 300; i++) {
                pairs.add(Pair.via(listener));
            }
            for (int i = 0; i < 300; i += 2) {
                pairs.get(i).close();
            }
            for (int i = 1; i < 300; i += 2) {
                Pair pair = pairs.get(i);
                Pair.of(pair.client, pair.server).converse();
            }
        } finally {
            for (Pair pair : pairs) {
                pair.close();
            }
        }
    }

    private static final Set<Reason> MEETINGS_THAT_END = Set.of(Reason.NO_OFFER, Reason.STALE, Reason.HUNG_UP, Reason.PATH_FAILED);

    /**
     * The last connection of a closed listener takes the listener's name with it. A client that makes an offer then does
     * not find the name.
     */
    @Test
    void aServerThatClosesDuringTheOfferIsNotTakenForAnotherProcess() throws Exception {
        assumeTrue(Subject.current().switches(), "connections of this subject stay on TCP, so there is no offer");
        Counters before = Counters.now();
        int rounds = Effort.rounds(300, 3_000);
        for (int i = 1; i <= rounds; i++) {
            try (ServerSocket listener = Pair.listener(); Pair pair = Pair.via(listener)) {
                listener.close();
                pair.pingPong();
                pair.client.getOutputStream().write('?'); // leads to the offer
                pair.server.close();
                int decided = 2 * i;
                Await.until("both ends have a path or a reason",
                        () -> decisions(Counters.now().since(before)) == decided);
            }
        }
        Map<Reason, Long> reasons = Counters.now().since(before).fallbacks();
        Set<Reason> strangers = Set.of(Reason.NOT_MINE, Reason.NO_PEER, Reason.TRANSLATED); // the last one occurs between hosts
        reasons.keySet().forEach(it -> assertTrue(
                MEETINGS_THAT_END.contains(it) || strangers.contains(it), reasons::toString));
        // An offer gets these reasons if the server is asked just at the close, or if a busy system reports TCP's end late.
        long mistaken = strangers.stream().mapToLong(it -> reasons.getOrDefault(it, 0L)).sum();
        assertTrue(mistaken <= rounds / 20, reasons::toString);
    }

    private static long decisions(Counters counted) {
        long reasons = counted.fallbacks().values().stream().mapToLong(Long::longValue).sum();
        return counted.attached() + reasons - counted.fallbacks().getOrDefault(Reason.PATH_FAILED, 0L); // these had a path before
    }

    @Test
    void acceptedAfterTheClientHasWritten() throws Exception {
        try (ServerSocket listener = Pair.listener();
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            // Enough bytes for an offer. The offer then waits for the accept.
            client.getOutputStream().write(Bytes.of(1, 0, 200_000));
            try (Pair pair = Pair.of(client, listener.accept())) {
                Bytes.expect(pair.server.getInputStream(), 1, 0, 200_000);
                for (int i = 0; i < 100; i++) {
                    pair.pingPong();
                }
                if (Subject.current().switches()) {
                    Await.until(() -> "switched, but " + pair.counted(), () -> {
                        pair.pingPong();
                        return pair.counted().switchedIn() == 2;
                    });
                }
            }
        }
    }

    @Test
    void acceptedConnectionsDoNotWaitForOthers() throws Exception {
        assumeTrue(Subject.current().switches(), "connections of this subject stay on TCP, so no offer waits");
        long mappings = Segments.mappings();
        List<Socket> clients = new ArrayList<>();
        try (ServerSocket listener = Pair.listener(); Pair pair = Pair.via(listener)) {
            for (int i = 0; i < 40; i++) { // more than get an offer at the same time
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                clients.add(client);
                client.getOutputStream().write(new byte[80_000]);
            }
            pair.converse();
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
        Await.until("what was offered is gone", () -> Segments.mappings() <= mappings);
    }

    @Test
    void exactAndWildcardOnOnePort() throws Exception {
        try (ServerSocket wildcard = sharing("0.0.0.0", 0); // bound first: a port that is free at one address may be taken at another
                ServerSocket exact = sharing("127.0.0.1", wildcard.getLocalPort())) {
            try (Pair pair = Pair.via(exact)) {
                pair.converse();
            }
            try (Socket client = new Socket(InetAddress.getByName("127.0.0.2"), wildcard.getLocalPort());
                    Pair pair = Pair.of(client, wildcard.accept())) {
                assertEquals("127.0.0.2", pair.server.getLocalAddress().getHostAddress());
                pair.converse();
            }
        }
    }

    @Test
    void aGroupOnOnePort() throws Exception {
        List<ServerSocket> group = new ArrayList<>();
        try {
            group.add(sharing("127.0.0.1", 0));
            int port = group.get(0).getLocalPort();
            while (group.size() < 10) { // more than there are names
                group.add(sharing("127.0.0.1", port));
            }
            for (int i = 0; i < 20; i++) {
                try (Socket client = new Socket(InetAddress.getByName("127.0.0.1"), port);
                        Pair pair = Pair.of(client, whoeverGotIt(group))) {
                    for (int j = 0; j < 10; j++) {
                        pair.pingPong();
                    }
                }
            }
        } finally {
            for (ServerSocket listener : group) {
                listener.close();
            }
        }
    }

    private static Socket whoeverGotIt(List<ServerSocket> group) throws IOException {
        for (int at = 0;; at = (at + 1) % group.size()) {
            ServerSocket listener = group.get(at);
            listener.setSoTimeout(1);
            try {
                return listener.accept();
            } catch (SocketTimeoutException e) {
                // another listener has the connection
            }
        }
    }

    @Test
    void severalOfAGroupSwitch() throws Exception {
        try (ServerSocket one = sharing("127.0.0.1", 0);
                ServerSocket two = sharing("127.0.0.1", one.getLocalPort())) {
            List<ServerSocket> group = List.of(one, two);
            for (int i = 0; i < 10; i++) {
                try (Socket client = new Socket(InetAddress.getByName("127.0.0.1"), one.getLocalPort());
                        Pair pair = Pair.of(client, whoeverGotIt(group))) {
                    pair.converse();
                }
            }
        }
    }

    /** The name that the first listener had is free, and the second listener is still open. */
    @Test
    void theFirstOfAGroupHasGone() throws Exception {
        try (ServerSocket first = sharing("127.0.0.1", 0);
                ServerSocket second = sharing("127.0.0.1", first.getLocalPort())) {
            first.close();
            try (Pair pair = Pair.via(second)) {
                pair.converse();
            }
        }
    }

    /** A listener like JSSE's: the socket that it accepts into has been created and set up before. */
    private static final class Prepared extends ServerSocket {
        private Socket prepared;

        Prepared() throws IOException {
            super(0, 50, InetAddress.getByName("127.0.0.1"));
        }

        @Override
        public Socket accept() throws IOException {
            prepared = new Socket();
            prepared.setSoTimeout(2345);
            prepared.setTcpNoDelay(true);
            prepared.getReuseAddress();
            implAccept(prepared);
            return prepared;
        }
    }

    @Test
    void acceptedIntoASocketThatWasThere() throws Exception {
        Subject.current();
        try (Prepared listener = new Prepared()) {
            for (int i = 0; i < 3; i++) {
                try (Pair pair = Pair.via(listener)) {
                    assertEquals(2345, pair.server.getSoTimeout());
                    assertFalse(pair.server.getTcpNoDelay());
                    assertEquals(pair.client.getLocalPort(), pair.server.getPort());
                    pair.converse();
                }
            }
        }
    }

    @Test
    void theSamePortAgain() throws Exception {
        int port;
        try (ServerSocket listener = Pair.listener(); Pair pair = Pair.via(listener)) {
            port = listener.getLocalPort();
            pair.converse();
        }
        for (int i = 0; i < 3; i++) {
            try (ServerSocket listener = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.1"));
                    Pair pair = Pair.via(listener)) {
                pair.converse();
            }
        }
    }

    @Test
    void theSamePortAgainWhileAnOldConnectionLives() throws Exception {
        ServerSocket old = Pair.listener();
        try (Pair unswitched = Pair.via(old)) {
            old.close();
            try (ServerSocket listener = new ServerSocket(old.getLocalPort(), 50, old.getInetAddress());
                    Pair pair = Pair.via(listener)) {
                pair.converse();
            }
            unswitched.pingPong();
        }
    }

    @Test
    void manyAtOnce() throws Exception {
        List<Pair> pairs = new ArrayList<>();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < 50; i++) {
                pairs.add(Pair.via(listener));
            }
            for (int round = 0; round < 5; round++) {
                for (Pair pair : pairs) {
                    pair.pingPong();
                }
            }
            assertTrue(pairs.stream().noneMatch(pair -> pair.client.isClosed()));
        } finally {
            for (Pair pair : pairs) {
                pair.close();
            }
        }
    }
}
