package jfs.negotiation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import jfs.config.Settings;
import jfs.conformance.Await;
import jfs.conformance.Background;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Posix;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rendezvous between hosts, over loopback: who is answered, what has to be proved, and what becomes of connections. */
@Tag("processes")
@Timeout(120)
class HostsTest {

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final int PORTS = 4;
    private static final HostKey KEY = new HostKey(new byte[32]);
    private static final HostKey OTHER_KEY = new HostKey("another key, for other hosts".getBytes());

    private final List<AutoCloseable> opened = new ArrayList<>();
    private int firstPort;

    @BeforeAll
    static void loadNatives() {
        NativeLibrary.lookIn(Path.of(System.getProperty("jfs.native.dir")), "shim", "shim");
        assertNull(NativeLibrary.unavailable());
    }

    /** Several in a row, below those that the system gives out: one of its own would be in the way. */
    @BeforeEach
    void choosePorts() {
        do {
            firstPort = ThreadLocalRandom.current().nextInt(10_000, 30_000);
        } while (!IntStream.range(firstPort, firstPort + PORTS).allMatch(HostsTest::isFree));
    }

    private static boolean isFree(int port) {
        try (ServerSocket it = new ServerSocket(port, 1, LOOPBACK)) {
            return it.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable it : opened) {
            it.close();
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket it = new ServerSocket(0, 1, LOOPBACK)) {
            return it.getLocalPort();
        }
    }

    /** A process that runs JFS. */
    private final class Process {
        final Recorded transport = new Recorded();
        final Negotiator negotiator;
        final InetAddress address;
        private final Policy policy;
        private int port;
        private int listener = -1;
        private Negotiator.Listening listening;

        Process(HostKey key, String... rules) {
            this(LOOPBACK, key, rules);
        }

        /** On a host of its own, as far as addresses tell. */
        Process(InetAddress address, HostKey key, String... rules) {
            this.address = address;
            Settings settings = Settings.read(new Properties(), Map.of());
            policy = new Policy(Rules.parse("/rules", List.of(rules), InetAddress::getAllByName), Set.of("sci", "mx"),
                    null, null, null);
            Hosts hosts = new Hosts(Tuple.mapped(address), firstPort, firstPort + PORTS - 1, key);
            negotiator = new Negotiator(settings, policy, null, hosts, transport);
        }

        /** Its program listens on a port. */
        Process listening() throws Exception {
            port = freePort();
            listener = Posix.tcpListen(Tuple.mapped(address), port, 8);
            assertTrue(listener >= 0);
            opened.add(() -> Posix.close(listener));
            listening = negotiator.listening(this, address, port);
            opened.add(listening::close);
            return this;
        }

        End connect(Process to) {
            byte[] both = new byte[Posix.TUPLE_BYTES];
            System.arraycopy(Tuple.mapped(address), 0, both, 0, 16);
            System.arraycopy(Tuple.mapped(to.address), 0, both, 24, 16);
            int fd = Posix.tcpConnect(both, to.port);
            assertEquals(Posix.POLLOUT, Posix.poll(fd, Posix.POLLOUT, -1, 0, 30_000));
            return keep(new End(fd));
        }

        End accept() {
            assertEquals(Posix.POLLIN, Posix.poll(listener, Posix.POLLIN, -1, 0, 30_000));
            return keep(new End(Posix.accept(listener)));
        }

        /** So that offers find it. */
        void register(End end, int remotePort) {
            listening.accepted(end, policy.accepting(LOOPBACK, port), remotePort, port);
        }

        void offer(End end, int to, boolean early) {
            negotiator.offer(end, policy.connecting(LOOPBACK, to), early);
        }

        private End keep(End end) {
            opened.add(end);
            return end;
        }
    }

    /** Two ends that have talked. */
    private record Ends(End client, End server) {

        String outcome() throws Exception {
            return client.outcome() + " " + (server.isDecided() ? server.outcome() : "none");
        }
    }

    private static int localPort(End end) {
        return Tuple.of(end.tcp()).localPort();
    }

    private static Ends connected(Process client, Process server) {
        End near = client.connect(server);
        End far = server.accept();
        server.register(far, localPort(near));
        near.sentTo(far, "a question");
        far.sentTo(near, "an answer");
        return new Ends(near, far);
    }

    private static Ends offered(Process client, Process server) {
        Ends ends = connected(client, server);
        client.offer(ends.client(), server.port, false);
        return ends;
    }

    private Process server(String options) throws Exception {
        return new Process(KEY, "accept 127.0.0.1 * " + options).listening();
    }

    private Process client(String options) {
        return new Process(KEY, "connect 127.0.0.1 * " + options);
    }

    // ---- who gets a fast path ----

    @ParameterizedTest
    @CsvSource({"mx, mx, mx mx", "mx trusted, mx trusted, mx mx", "mx, mx trusted, WRONG_KEY none",
        "mx trusted, mx, WRONG_KEY none"})
    void rules(String clients, String servers, String outcome) throws Exception {
        Process client = client(clients);
        Process server = server(servers);
        assertEquals(outcome, offered(client, server).outcome());
        assertEquals(outcome.equals("mx mx") ? 1 : 0, client.transport.offers.get());
        assertEquals(outcome.equals("mx mx") ? 1 : 0, server.transport.joins.get());
        assertEquals(0, client.transport.abandoned.get());
    }

    @Test
    void anotherKey() throws Exception {
        Process client = new Process(OTHER_KEY, "connect * * mx");
        assertEquals("WRONG_KEY none", offered(client, server("mx")).outcome());
        assertEquals(0, client.transport.offers.get(), "who does not prove himself hears nothing of the connection");
    }

    /** Which is what trusted says. */
    @Test
    void anotherKeyBetweenThoseWhoTrust() throws Exception {
        assertEquals("mx mx", offered(new Process(OTHER_KEY, "connect * * mx trusted"), server("mx trusted")).outcome());
    }

    @Test
    void noRuleThere() throws Exception {
        Process server = new Process(KEY, "accept 127.0.0.1 1 mx").listening();
        assertEquals("NO_RENDEZVOUS none", offered(client("mx"), server).outcome());
    }

    @Test
    void noRuleForThatPort() throws Exception {
        server("mx");
        Process server = new Process(KEY, "accept 127.0.0.1 1 mx", "accept * * sci").listening();
        assertEquals("TRANSLATED none", offered(client("mx"), server).outcome(), "another process there can't know");
    }

    @Test
    void itIsNotAccepted() throws Exception {
        Process server = server("mx");
        Process client = client("mx");
        End end = client.connect(server);
        client.offer(end, server.port, false);
        assertEquals("TRANSLATED", end.outcome());
        assertEquals(1, client.transport.abandoned.get());
    }

    @Test
    void itIsAcceptedLater() throws Exception {
        Process server = server("mx");
        Process client = client("mx");
        End near = client.connect(server);
        client.offer(near, server.port, true);
        Await.until("the offer is made", () -> client.transport.offers.get() == 1);
        End far = server.accept();
        server.register(far, localPort(near));
        assertEquals("mx mx", new Ends(near, far).outcome());
    }

    /** Another process of that host, which is asked first, does not wait for what it will never accept. */
    @Test
    void itIsAcceptedLaterByAnotherProcess() throws Exception {
        server("mx");
        itIsAcceptedLater();
    }

    // ---- R22 ----

    @Test
    void whatTheServerReceivedIsNotWhatWasSent() throws Exception {
        Process client = client("mx");
        Process server = server("mx");
        End near = client.connect(server);
        End far = server.accept();
        server.register(far, localPort(near));
        near.sentTo(far, "GET /", "PROXY TCP4 10.0.0.1\r\nGET /");
        far.sentTo(near, "an answer");
        client.offer(near, server.port, false);
        assertEquals("ALTERED", near.outcome());
        assertEquals("ALTERED", far.outcome());
        assertEquals(0, server.transport.joins.get());
        assertEquals(1, client.transport.abandoned.get());
    }

    @Test
    void whatTheClientReceivedIsNotWhatWasSent() throws Exception {
        Process client = client("mx");
        Process server = server("mx");
        End near = client.connect(server);
        End far = server.accept();
        server.register(far, localPort(near));
        near.sentTo(far, "a question");
        far.sentTo(near, "an answer", "an Answer");
        client.offer(near, server.port, false);
        assertEquals("ALTERED", near.outcome());
        assertEquals("ALTERED", far.outcome());
        assertEquals(0, server.transport.joins.get());
    }

    @Test
    void whatIsUnderWayIsNoDifference() throws Exception {
        Process client = client("mx");
        Process server = server("mx");
        End near = client.connect(server);
        End far = server.accept();
        server.register(far, localPort(near));
        near.sentTo(far, "a question, and another", "a quest");
        far.sentTo(near, "an answer", "");
        client.offer(near, server.port, false);
        assertEquals("mx", near.outcome());
        assertEquals("mx", far.outcome());
    }

    // ---- several processes on a host ----

    @Test
    void eachIsFound() throws Exception {
        List<Process> servers = List.of(server("mx"), server("mx"), server("mx"), server("mx"));
        Process client = client("mx");
        for (int round = 0; round < 2; round++) {
            for (Process server : servers) {
                assertEquals("mx mx", offered(client, server).outcome());
            }
        }
    }

    @Test
    void noPortIsLeft() throws Exception {
        for (int i = 0; i < PORTS; i++) {
            server("mx");
        }
        assertEquals("TRANSLATED NO_RENDEZVOUS", offered(client("mx"), server("mx")).outcome());
    }

    /** Somebody else has the first port: he hears a greeting, and nothing of the connection. */
    @Test
    void aStranger() throws Exception {
        try (ServerSocket stranger = new ServerSocket(firstPort, 8, LOOPBACK)) {
            Process server = server("mx");
            Background<Integer> heard = Background.call(() -> {
                try (Socket it = stranger.accept()) {
                    byte[] frame = it.getInputStream().readNBytes(2 + 40);
                    it.getOutputStream().write(new byte[2 + 65]); // a challenge that proves nothing
                    it.setSoTimeout(30_000);
                    return frame.length + it.getInputStream().readAllBytes().length;
                }
            });
            assertEquals("mx mx", offered(client("mx"), server).outcome());
            assertEquals(42, heard.result());
        }
    }

    @Test
    void aHostWithNobodyIsNotAskedAgainForAWhile() throws Exception {
        Process nobody = new Process(KEY, "accept 127.0.0.1 1 mx").listening();
        Process client = client("mx");
        assertEquals("NO_RENDEZVOUS none", offered(client, nobody).outcome());
        assertEquals("NO_RENDEZVOUS none", offered(client, server("mx")).outcome(), "it has just come");
        assertEquals("mx mx", offered(client("mx"), server("mx")).outcome());
    }

    // ---- who makes others wait ----

    private static InetAddress host(int number) throws Exception {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) number});
    }

    private Process serverFor(String hosts, int number) throws Exception {
        return new Process(host(number), KEY, "accept " + hosts + " * mx").listening();
    }

    private Process clientOf(String hosts, int number) throws Exception {
        return new Process(host(number), KEY, "connect " + hosts + " * mx");
    }

    /** A client whose endpoint takes no connection: those of other hosts are joined meanwhile. */
    @Test
    void aClientThatMakesAJoinSlowDelaysNoOtherHost() throws Exception {
        Process server = serverFor("127.0.0.0/8", 1);
        Recorded.Obstacle obstacle = server.transport.obstacle();
        Ends slow = offered(clientOf("127.0.0.0/8", 2), server);
        obstacle.awaitMet();
        assertEquals("mx mx", offered(clientOf("127.0.0.0/8", 3), server).outcome());
        assertFalse(slow.client().isDecided() || slow.server().isDecided());
        obstacle.end(null);
        assertEquals("mx mx", slow.outcome());
    }

    /** The same at the connecting end. */
    @Test
    void aServerThatMakesACompletionSlowDelaysNoOtherHost() throws Exception {
        Process client = clientOf("127.0.0.0/8", 1);
        Process other = serverFor("127.0.0.0/8", 3);
        Recorded.Obstacle obstacle = client.transport.obstacle();
        Ends slow = offered(client, serverFor("127.0.0.0/8", 2));
        obstacle.awaitMet();
        assertEquals("mx mx", offered(client, other).outcome());
        assertFalse(slow.client().isDecided());
        obstacle.end(null);
        assertEquals("mx mx", slow.outcome());
    }

    /** Or four that are slow would be as many as there are threads. */
    @Test
    void aHostMakesOneOfUsWaitAtATime() throws Exception {
        Process server = serverFor("127.0.0.0/8", 1);
        Process client = clientOf("127.0.0.0/8", 2);
        Recorded.Obstacle obstacle = server.transport.obstacle();
        List<Ends> slow = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            slow.add(offered(client, server));
        }
        obstacle.awaitMet();
        Await.until("all are offered", () -> client.transport.offers.get() == slow.size());
        assertEquals("mx mx", offered(clientOf("127.0.0.0/8", 3), server).outcome());
        assertEquals(1, server.transport.joins.get(), "the others of that host wait for their turn");
        obstacle.end(null);
        for (Ends each : slow) {
            assertEquals("mx mx", each.outcome());
        }
    }

    @Test
    void nobodyIsLeftToHelpWithNothing() throws Exception {
        Process server = server("mx");
        Recorded.Obstacle obstacle = server.transport.obstacle();
        Ends ends = offered(client("mx"), server);
        obstacle.awaitMet();
        assertTrue(helpers() > 0);
        obstacle.end(null);
        assertEquals("mx mx", ends.outcome());
        Await.until("they have ended", () -> helpers() == 0);
    }

    private static long helpers() {
        return Thread.getAllStackTraces().keySet().stream().filter(it -> it.getName().equals("jfs-helper")).count();
    }

    @Test
    void bothEndsHearThatAJoinHasFailed() throws Exception {
        Process server = server("mx");
        server.transport.obstacle().end("mx_connect: no answer");
        Ends ends = offered(client("mx"), server);
        assertEquals("FAILED", ends.client().outcome());
        assertEquals("FAILED", ends.server().outcome());
    }

    /** One connection finds out, and those after it need not. */
    @Test
    void aServerThatCantBeReachedIsNotAskedAgainForAWhile() throws Exception {
        Process server = server("mx");
        Process client = client("mx");
        client.transport.obstacle().end("mx_connect: no answer");
        assertEquals("FAILED", offered(client, server).client().outcome());
        assertEquals("FAILED none", offered(client, server).outcome());
        assertEquals(1, client.transport.offers.get());
    }

    /** What it connected with is given up, and the connection stays as it is. */
    @Test
    void aClientThatHangsUpDuringTheJoin() throws Exception {
        Process server = serverFor("127.0.0.0/8", 1);
        Recorded.Obstacle obstacle = server.transport.obstacle();
        Process client = clientOf("127.0.0.0/8", 2);
        End near = client.connect(server);
        End far = server.accept();
        server.register(far, localPort(near));
        near.sentTo(far, "a question");
        far.sentTo(near, "an answer");
        client.offer(near, server.port, false);
        obstacle.awaitMet();
        assertEquals("NO_ANSWER", near.outcome());
        obstacle.end(null);
        Await.until("it is given up", () -> server.transport.retired.get() == 2);
        assertFalse(far.isDecided());
    }

    // ---- strangers at the server ----

    private Socket raw() throws Exception {
        Socket it = new Socket(LOOPBACK, firstPort);
        it.setSoTimeout(30_000);
        opened.add(it);
        return it;
    }

    /** Bytes that come until it hangs up, with or without a reset. */
    private static int untilHungUp(Socket it) throws Exception {
        InputStream in = it.getInputStream();
        int count = 0;
        try {
            while (in.read() >= 0) {
                count++;
            }
        } catch (SocketException e) {
            // Reset: it had not read all.
        }
        return count;
    }

    @Test
    void aHostThatNoRuleNamesGetsNoByte() throws Exception {
        new Process(KEY, "accept 10.0.0.0/8 * mx", "accept 127.0.0.1 * sci", "connect 127.0.0.1 * mx").listening();
        Socket it = raw();
        it.getOutputStream().write(hello(1, true, 80));
        assertEquals(0, untilHungUp(it));
    }

    private static byte[] hello(int version, boolean keyed, int port) {
        ByteBuffer hello = new HostMessage.Hello(version, keyed, port, new byte[HostMessage.NONCE_BYTES]).encode();
        return ByteBuffer.allocate(2 + hello.remaining()).putShort((short) hello.remaining()).put(hello).array();
    }

    @ParameterizedTest
    @CsvSource({"2, true, VERSION", "1, false, WRONG_KEY"})
    void aGreetingThatIsRefused(int version, boolean keyed, String reason) throws Exception {
        Process server = server("mx");
        Socket it = raw();
        it.getOutputStream().write(hello(version, keyed, server.port));
        assertEquals("\0" + (char) (1 + reason.length()) + "\1" + reason,
                new String(it.getInputStream().readAllBytes(), "ISO-8859-1"));
    }

    /** Whatever it is, it is hung up on, and others are served meanwhile and afterwards. */
    @Test
    void nonsense() throws Exception {
        Process server = server("mx");
        Random random = new Random(7);
        byte[] hello = hello(1, true, server.port);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[1 + random.nextInt(700)];
            random.nextBytes(bytes);
            if (i % 4 == 1) { // a frame of nonsense
                bytes = ByteBuffer.allocate(2 + i) .putShort((short) i).array();
            } else if (i % 4 == 2) { // two frames at once
                bytes = ByteBuffer.allocate(2 * hello.length).put(hello).put(hello).array();
            }
            Socket it = raw();
            try {
                it.getOutputStream().write(bytes);
                it.getOutputStream().write(hello);
                it.shutdownOutput();
            } catch (SocketException e) {
                // It was hung up on in the middle.
            }
            untilHungUp(it);
        }
        assertEquals("mx mx", offered(client("mx"), server).outcome());
    }

    /** After a greeting: an offer by somebody without the key is not answered. */
    @Test
    void anOfferWithoutTheKey() throws Exception {
        Process server = server("mx");
        Socket it = raw();
        it.getOutputStream().write(hello(1, true, server.port));
        assertEquals(2 + 65, it.getInputStream().readNBytes(2 + 65).length);
        it.getOutputStream().write(ByteBuffer.allocate(2 + 200).putShort((short) 200).array());
        assertEquals(0, untilHungUp(it));
        assertEquals(0, server.transport.joins.get());
    }

    /** Who keeps hundreds of connections open, and silent, pushes out his own. */
    @Test
    void aCrowd() throws Exception {
        Process server = server("mx");
        List<Socket> crowd = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            crowd.add(raw());
        }
        assertEquals(0, untilHungUp(crowd.get(0)), "the first ones have to go");
        assertEquals("mx mx", offered(client("mx"), server).outcome());
        assertFalse(crowd.get(299).isClosed());
    }
}
