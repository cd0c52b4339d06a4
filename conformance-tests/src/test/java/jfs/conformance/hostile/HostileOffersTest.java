package jfs.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import jfs.conformance.harness.Subject;
import jfs.nativelib.Posix;
import jfs.nativelib.Sisci;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import jfs.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Offers and answers of any kind, and floods of them. Other connections get their fast path meanwhile. */
@Tag("hostile")
@Timeout(1800)
class HostileOffersTest {

    private Process flooder;

    @BeforeAll
    static void install() {
        Subject.current();
    }

    @AfterEach
    void endFlood() throws InterruptedException {
        if (flooder != null) {
            flooder.destroyForcibly();
            assertTrue(flooder.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
    }

    /** Starts the flood. Returns what the process writes when it has begun. */
    private String flood(int port, String how) throws Exception {
        flooder = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), "-Xmx64m",
                "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", Flooder.class.getName(),
                System.getProperty("jfs.native.dir"), String.valueOf(port), how).redirectErrorStream(true).start();
        BufferedReader out = new BufferedReader(new InputStreamReader(flooder.getInputStream()));
        return Background.call(out::readLine).result();
    }

    /** Other connections become fast during the flood. docs/reliability.md says how long that takes. */
    @ParameterizedTest
    @ValueSource(strings = {"silent", "early", "comes and goes", "garbage"})
    void aFloodDoesNotKeepOthersOut(String how) throws Exception {
        try (ServerSocket victims = Honest.listener()) {
            assertEquals("ready", flood(victims.getLocalPort(), how));
            long longest = 0;
            for (int i = 0; i < Effort.rounds(10, 500); i++) {
                long start = System.nanoTime();
                Honest.connect(victims).close();
                longest = Math.max(longest, System.nanoTime() - start);
            }
            System.out.println("flood \"" + how + "\": fast after at most " + longest / 1_000_000 + " ms");
            assertTrue(flooder.isAlive());
        }
    }

    /**
     * A join blocks the negotiation for half a second at most. A process that has made it wait that long five times is not served for a
     * while.
     */
    @Test
    void aProcessWhoseJoinsTakeLongIsNotServedForAWhile() throws Exception {
        try (ServerSocket victims = Honest.listener()) {
            List<Socket> all = new ArrayList<>();
            Background<Void> accepting = Background.run(() -> {
                while (all.size() < Flooder.JOINS) {
                    all.add(victims.accept());
                }
            });
            assertEquals("ready [FAILED, FAILED, FAILED, FAILED, FAILED, PEER_BUSY, PEER_BUSY]",
                    flood(victims.getLocalPort(), "slow"));
            accepting.result();
            for (Socket accepted : all) {
                accepted.close();
            }
            Honest.connect(victims).close();
        }
    }

    /** The offers are for connections that exist, so that their contents are checked. */
    @Test
    void changedOffers() throws Exception {
        long first = Long.getLong("test.seed", System.nanoTime());
        try (ServerSocket victims = Honest.listener(); Honest other = Honest.connect(victims).talk()) {
            String name = HostilePeer.name(victims.getLocalPort());
            for (long seed = first; seed < first + Effort.rounds(60, 5_000); seed++) {
                Random random = Seeds.random(seed);
                try (HostilePeer peer = HostilePeer.to(victims)) {
                    peer.makeSegment(42);
                    byte[] offer = peer.offer(42, peer.description());
                    byte[] changed = Arrays.copyOf(offer, random.nextInt(3) > 0 ? offer.length : random.nextInt(300));
                    for (int i = random.nextInt(4); i > 0 && changed.length > 0; i--) {
                        // mostly in the description, because the rest is checked before it
                        int from = random.nextInt(3) == 0 ? 0 : Math.max(0, changed.length - 20);
                        changed[from + random.nextInt(changed.length - from)] = (byte) random.nextInt();
                    }
                    if (changed.length > HostilePeer.FLAGS) {
                        changed[HostilePeer.FLAGS] = 0; // not early: an early offer may wait for its answer
                    }
                    int status = HostilePeer.say(name, changed);
                    assertTrue(status >= HostilePeer.HUNG_UP && status <= HostilePeer.STALE_OFFER, "-Dtest.seed=" + seed);
                }
            }
            Honest.connect(victims).close();
        }
    }

    @Test
    void theSameOfferAgain() throws Exception {
        try (ServerSocket victims = Honest.listener(); HostilePeer peer = HostilePeer.attachedTo(victims)) {
            byte[] replay = peer.offer(42, peer.description());
            assertEquals(HostilePeer.NOT_MINE, HostilePeer.say(HostilePeer.name(victims.getLocalPort()), replay));
            peer.victim.getOutputStream().write('x'); // the connection still works
            ByteBuffer one = ByteBuffer.allocate(1);
            peer.tcp.read(one);
            assertEquals('x', one.get(0));
        }
    }

    @Test
    void aNonceThatIsNotInTheMemory() throws Exception {
        try (ServerSocket victims = Honest.listener(); HostilePeer peer = HostilePeer.to(victims)) {
            peer.makeSegment(42);
            long failed = Stats.fallbacks(Reason.FAILED);
            assertEquals(HostilePeer.DECLINED,
                    HostilePeer.say(HostilePeer.name(victims.getLocalPort()), peer.offer(43, peer.description())));
            assertEquals(failed + 1, Stats.fallbacks(Reason.FAILED));
        }
    }

    /** No visitor is waited for without limit (NEG-5): five seconds for its message. */
    @Test
    void aVisitorWhoSaysNothing() throws Exception {
        try (ServerSocket victims = Honest.listener()) {
            assertEquals(HostilePeer.HUNG_UP, HostilePeer.hear(HostilePeer.name(victims.getLocalPort())));
        }
    }

    /** Thirty seconds for the connection that it offers. */
    @Test
    @EnabledIfSystemProperty(named = "test.all", matches = "true",
            disabledReason = "only ./jfs test --all runs it, because it takes half a minute")
    void anOfferForAConnectionThatNeverComes() throws Exception {
        try (ServerSocket victims = Honest.listener()) {
            InetSocketAddress listener = (InetSocketAddress) victims.getLocalSocketAddress();
            byte[] offer = HostilePeer.offer(42, true, new InetSocketAddress(listener.getAddress(), 1), listener, new byte[20]);
            long start = System.nanoTime();
            assertEquals(HostilePeer.NOT_MINE, HostilePeer.say(HostilePeer.name(listener.getPort()), offer));
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
            assertTrue(seconds >= 29, "it was turned away after " + seconds + " s");
        }
    }

    private static final String WITH_DESCRIPTORS = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            s.connect('\\0' + sys.argv[1])
            try:
                socket.send_fds(s, [bytes.fromhex(sys.argv[2])], [0] * int(sys.argv[3]))
                print(s.recv(256).hex() or 'hung up')
            except PermissionError:
                print('refused by the kernel')
            """;

    /** The descriptors are not wanted. */
    @ParameterizedTest
    @ValueSource(ints = {1, 253})
    void descriptorsWithAnOffer(int count) throws Exception {
        try (ServerSocket victims = Honest.listener(); HostilePeer peer = HostilePeer.to(victims)) {
            peer.makeSegment(42);
            Process python;
            try {
                python = new ProcessBuilder("python3", "-c", WITH_DESCRIPTORS, HostilePeer.name(victims.getLocalPort()),
                        HexFormat.of().formatHex(peer.offer(42, peer.description())), "" + count)
                        .redirectErrorStream(true).start();
            } catch (IOException e) {
                assumeTrue(false, "python3, which sends the descriptors, is not installed: " + e.getMessage());
                throw e;
            }
            String outcome = new String(python.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            assertTrue(List.of("refused by the kernel", "hung up").contains(outcome), outcome);
        }
    }

    /** A process that has seen the segment's name comes after the peer. */
    @Test
    void aThirdProcessCanNotJoinTheSegment() throws Exception {
        long attached = Stats.ATTACHED.sum();
        try (HostilePeer peer = HostilePeer.acceptedFrom((it, description) -> {
            assertFalse(HostilePeer.connectsToo(description));
            return HostilePeer.joined(it);
        })) {
            Await.until("it has its path", () -> Stats.ATTACHED.sum() == attached + 1);
        }
    }

    /** A third process comes before the peer: then it has the memory. The peer gets none and stays on TCP. */
    @Test
    void aThirdProcessThatJoinsFirstKeepsTheConnectionOnTcp() throws Exception {
        long attached = Stats.ATTACHED.sum();
        try (ServerSocket victims = Honest.listener(); HostilePeer peer = HostilePeer.to(victims)) {
            peer.makeSegment(42);
            Sisci.admitOne(peer.segment());
            assertTrue(HostilePeer.connectsToo(peer.description()));
            assertEquals(HostilePeer.DECLINED,
                    HostilePeer.say(HostilePeer.name(victims.getLocalPort()), peer.offer(42, peer.description())));
            assertEquals(attached, Stats.ATTACHED.sum());
            peer.tcp.write(ByteBuffer.wrap(new byte[] {5}));
            assertEquals(5, peer.victim.getInputStream().read());
        }
    }

    /** One wait is enough for all connections to the same listener. With a wait for each this test takes too long. */
    @Test
    void aSquatterWhoNeverAnswers() throws Exception {
        int connections = 130; // at most 32 are asked for at the same time
        List<Closeable> open = new ArrayList<>();
        long before = Stats.fallbacks(Reason.NO_ANSWER);
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress("127.0.0.1", 0));
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            int squatted = Posix.unixListen(HostilePeer.name(address.getPort()), connections);
            open.add(() -> Posix.close(squatted));
            for (int i = 0; i < connections; i++) {
                Socket victim = new Socket(address.getAddress(), address.getPort());
                open.add(victim);
                SocketChannel tcp = listener.accept();
                open.add(tcp);
                HostilePeer.converse(tcp, victim);
            }
            Await.until("all stay on TCP", () -> Stats.fallbacks(Reason.NO_ANSWER) == before + connections);
        } finally {
            for (Closeable each : open) {
                each.close();
            }
        }
    }

    /** Answers of any length and with any contents. The connection works on. */
    @Test
    void changedAnswers() throws Exception {
        long first = Long.getLong("test.seed", System.nanoTime());
        for (long seed = first; seed < first + Effort.rounds(40, 2_000); seed++) {
            Random random = Seeds.random(seed);
            try (HostilePeer peer = HostilePeer.acceptedFrom((it, description) -> {
                byte[] answer = Arrays.copyOf(HostilePeer.joined(it), 1 + random.nextInt(250));
                answer[random.nextInt(answer.length)] = (byte) random.nextInt();
                return answer;
            })) {
                peer.tcp.write(ByteBuffer.wrap(new byte[] {5}));
                assertEquals(5, peer.victim.getInputStream().read(), "-Dtest.seed=" + seed);
                peer.victim.getOutputStream().write(6);
                ByteBuffer one = ByteBuffer.allocate(1);
                peer.tcp.read(one);
                assertEquals(6, one.get(0), "-Dtest.seed=" + seed);
            }
        }
    }
}
