package jfs.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.Stream;
import jfs.conformance.harness.Subject;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import jfs.testing.VirtualThreads;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer that writes anything into the memory of its own connection can end that connection or change its bytes, but harm
 * no other one.
 */
@Tag("hostile")
@Timeout(1800)
class HostileMemoryTest {

    private static final int[] WORDS = {HostilePeer.SWITCHED, HostilePeer.ENDED, HostilePeer.OVERFLOW_TAIL,
        HostilePeer.OVERFLOW_END, HostilePeer.RECEIVER, HostilePeer.HEAD, HostilePeer.OVERFLOW_HEAD,
        HostilePeer.READER_ASLEEP, HostilePeer.RING};

    @BeforeAll
    static void install() {
        Subject.current();
    }

    private static HostilePeer attached(boolean victimListens, ServerSocket victims) throws Exception {
        long before = Stats.ATTACHED.sum();
        HostilePeer peer = victimListens ? HostilePeer.attachedTo(victims)
                : HostilePeer.acceptedFrom((it, description) -> HostilePeer.joined(it));
        Await.until("the victim's end is attached", () -> Stats.ATTACHED.sum() > before);
        return peer;
    }

    /** All lies at once, while words change between two looks at them. */
    @Test
    void anyWordsAtAnyTime() throws Exception {
        long first = Long.getLong("test.seed", System.nanoTime());
        try (ServerSocket victims = Honest.listener(); Honest other = Honest.connect(victims).talk()) {
            for (int round = 0; round < Effort.rounds(20, 2_000); round++) {
                long seed = first + round;
                try (HostilePeer peer = attached((seed & 1) == 0, victims)) {
                    round(peer, new Random(seed));
                } catch (Exception | AssertionError e) {
                    throw new AssertionError("-Dtest.seed=" + seed, e);
                }
            }
        }
    }

    private static void round(HostilePeer peer, Random random) throws Exception {
        Socket victim = peer.victim;
        victim.setSoTimeout(20);
        long lies = random.nextLong();
        long garbage = random.nextLong();
        Background<Void> liar = Background.run(() -> {
            Random words = new Random(lies);
            while (!Thread.currentThread().isInterrupted()) {
                lie(peer, words);
            }
        });
        Background<Void> writer = Background.run(() -> tolerating(() -> {
            Random sizes = new Random(garbage);
            for (;;) {
                victim.getOutputStream().write(new byte[1 + sizes.nextInt(sizes.nextBoolean() ? 100 : 100_000)]);
            }
        }));
        try {
            for (int step = 0; step < 10; step++) {
                tolerating(() -> use(victim.getInputStream(), random));
            }
        } finally {
            victim.close(); // ends all waits
            writer.result();
            liar.thread().interrupt();
            liar.result();
        }
    }

    private static void use(InputStream in, Random random) throws IOException {
        if (random.nextInt(3) == 0) {
            int available = in.available();
            assertTrue(available >= 0 && available <= 64 << 20, "available " + available);
        } else {
            byte[] buffer = new byte[1 + random.nextInt(50_000)];
            int n = in.read(buffer);
            assertTrue(n >= -1 && n != 0 && n <= buffer.length, "read " + n);
        }
    }

    private static void lie(HostilePeer peer, Random random) {
        int at = (random.nextInt(4) == 0 ? peer.inbox - peer.victimsInbox() : peer.victimsInbox())
                + WORDS[random.nextInt(WORDS.length)];
        ByteBuffer memory = peer.memory;
        switch (random.nextInt(6)) {
            case 0 -> memory.putLong(at, random.nextLong());
            case 1 -> memory.putLong(at, random.nextInt(200_000));
            case 2 -> memory.putLong(at, random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE);
            case 3 -> memory.putInt(at, random.nextInt(8));
            default -> memory.putLong(at, memory.getLong(at) + random.nextInt(65) - 32);
        }
        if (random.nextInt(50) == 0) {
            peer.wake();
        }
    }

    /** Runs an action that may fail as a program must expect. */
    private static void tolerating(Background.Action action) throws Exception {
        try {
            action.run();
        } catch (SocketException | SocketTimeoutException e) {
            // a clean end
        }
    }

    /** One lie each, and what the victim's next call throws. The offsets are those of the inbox that the victim reads. */
    @ParameterizedTest
    @CsvSource({
        "record too long,          4096, 2000000",
        "negative record,          4096, -2",
        "least number for record,  4096, -9223372036854775808",
        "tail going back,           256, -1",
        "tail far away,             256, 1000000000000",
    })
    void aReaderGetsAnErrorForImpossibleWords(String what, int word, long value) throws Exception {
        for (boolean listens : new boolean[] {true, false}) {
            try (ServerSocket victims = Honest.listener(); HostilePeer peer = attached(listens, victims)) {
                InputStream in = peer.victim.getInputStream();
                peer.victim.setSoTimeout(5_000); // no wait takes that long
                Background<Integer> read = Background.call(in::read);
                switchNow(peer);
                if (word == HostilePeer.OVERFLOW_TAIL) {
                    peer.memory.putLong(peer.victimsInbox() + HostilePeer.RING, -1); // SPILLED: the stream goes on in the overflow ring
                }
                peer.memory.putLong(peer.victimsInbox() + word, value);
                peer.wake();
                assertThrows(SocketException.class, read::result);
                peer.memory.putLong(peer.victimsInbox() + word, 0);
                assertThrows(SocketException.class, in::read, "and it stays so");
            }
        }
    }

    /** Switches after the one byte that the victim has got over TCP. */
    private static void switchNow(HostilePeer peer) throws Exception {
        switchAfter(1, peer);
    }

    private static void switchAfter(long count, HostilePeer peer) throws Exception {
        Await.until("the victim watches its memory", () ->
                (peer.memory.getInt(peer.inbox - peer.victimsInbox() + HostilePeer.RECEIVER) & 1) != 0);
        peer.memory.putLong(peer.victimsInbox() + HostilePeer.SWITCHED, 1 + count);
    }

    /** Writes the first record of the ring. */
    private static void put(char what, HostilePeer peer) {
        int record = peer.victimsInbox() + HostilePeer.RING;
        peer.memory.put(record + 8, (byte) what);
        peer.memory.putLong(record, 1);
        peer.wake();
    }

    /** After the switch no data goes over TCP (SWITCH-4), not even after a reset, for whose error the victim asks TCP. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void dataOverTcpAfterTheSwitch(boolean behindAReset) throws Exception {
        for (boolean listens : new boolean[] {true, false}) {
            try (ServerSocket victims = Honest.listener(); HostilePeer peer = attached(listens, victims)) {
                InputStream in = peer.victim.getInputStream();
                peer.victim.setSoTimeout(5_000); // no wait takes that long
                Background<Integer> read = Background.call(in::read);
                switchNow(peer);
                put('x', peer);
                assertEquals('x', read.result());
                peer.tcp.write(ByteBuffer.allocate(1));
                if (behindAReset) {
                    peer.memory.putInt(peer.victimsInbox() + HostilePeer.ENDED, 2);
                    peer.wake();
                }
                assertViolation("it sent data over TCP after the switch", in);
            }
        }
    }

    /** An impossible count: more bytes have already come over TCP. */
    @Test
    void aSwitchAtACountInThePastIsAnError() throws Exception {
        for (boolean listens : new boolean[] {true, false}) {
            try (ServerSocket victims = Honest.listener(); HostilePeer peer = attached(listens, victims)) {
                InputStream in = peer.victim.getInputStream();
                peer.victim.setSoTimeout(5_000);
                Background<Integer> read = Background.call(in::read);
                switchAfter(0, peer);
                peer.wake();
                assertThrows(SocketException.class, read::result);
                assertViolation("it switched after 0 bytes but sent 1 over TCP", in);
            }
        }
    }

    /** Asserts the violation twice, since it has to stay. */
    private static void assertViolation(String what, InputStream in) {
        for (int i = 0; i < 2; i++) {
            assertEquals("The peer broke the protocol of the switch: " + what,
                    assertThrows(SocketException.class, in::read).getMessage());
        }
    }

    /** The victim would wait forever. SO_TIMEOUT and close end its wait. */
    @Test
    void aSwitchAtACountThatNeverComesEndsByTimeoutOrClose() throws Exception {
        try (ServerSocket victims = Honest.listener(); HostilePeer peer = HostilePeer.attachedTo(victims)) {
            peer.memory.putLong(peer.victimsInbox() + HostilePeer.SWITCHED, Long.MIN_VALUE);
            peer.victim.setSoTimeout(20);
            InputStream in = peer.victim.getInputStream();
            assertThrows(SocketTimeoutException.class, in::read);
            peer.victim.setSoTimeout(0);
            Background<Integer> read = Background.call(in::read).blocked();
            peer.victim.close();
            assertEquals("Socket closed", assertThrows(SocketException.class, read::result).getMessage());
        }
    }

    /** What a peer does to the word at which the victim's thread sleeps in a futex. */
    private enum Harm {
        /** The word no longer says that a thread sleeps there, and the thread was not woken. */
        TAKES_THE_WORD {
            @Override
            void doTo(HostilePeer peer, int word) {
                peer.memory.putInt(word, 0);
            }
        },
        /** No wake-up at the word reaches the thread any more. */
        MOVES_THE_SLEEPER {
            @Override
            void doTo(HostilePeer peer, int word) throws Exception {
                int elsewhere = word + 64; // an unused word of the layout
                Await.until("the thread is moved", () -> Futex.moveSleepers(peer.memory, word, elsewhere) == 1);
            }
        };

        abstract void doTo(HostilePeer peer, int word) throws Exception;
    }

    /** A thread of the victim's that sleeps at a word in the memory that the peer reads. */
    private enum Sleeper {
        READER(HostilePeer.READER_ASLEEP) {
            @Override
            Background<?> begin(HostilePeer peer) throws Exception {
                InputStream in = peer.victim.getInputStream();
                Background<Integer> first = Background.call(in::read);
                switchNow(peer);
                put('x', peer);
                assertEquals('x', first.result());
                return Background.call(in::read);
            }
        },
        WRITER(HostilePeer.WRITER_ASLEEP) {
            @Override
            Background<?> begin(HostilePeer peer) {
                peer.memory.putInt(peer.victimsInbox() + HostilePeer.RECEIVER, 1); // the peer is ready to read, but never reads
                return Background.run(() -> {
                    for (;;) {
                        peer.victim.getOutputStream().write(new byte[10_000]);
                    }
                });
            }
        };

        private final int offset;

        Sleeper(int offset) {
            this.offset = offset;
        }

        abstract Background<?> begin(HostilePeer peer) throws Exception;

        /** A thread that sleeps in the futex and that no wake-up of the peer's will reach. */
        Background<?> harmed(Harm harm, HostilePeer peer) throws Exception {
            int word = peer.inbox - peer.victimsInbox() + offset;
            Background<?> thread = begin(peer);
            Await.until("the victim sleeps in a futex", () -> peer.memory.getInt(word) == 2);
            thread.blocked();
            harm.doTo(peer, word);
            return thread;
        }
    }

    static Stream<Arguments> harmedSleepers() {
        return Stream.of(Sleeper.values()).flatMap(who -> Stream.of(Harm.values()).map(harm -> Arguments.of(who, harm)));
    }

    @ParameterizedTest
    @MethodSource("harmedSleepers")
    void aSleeperThatIsNotWokenIsClosed(Sleeper who, Harm harm) throws Exception {
        for (boolean listens : new boolean[] {true, false}) {
            try (ServerSocket victims = Honest.listener(); HostilePeer peer = attached(listens, victims)) {
                Background<?> thread = who.harmed(harm, peer);
                peer.victim.close();
                assertEquals("Socket closed", assertThrows(SocketException.class, thread::result).getMessage());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("harmedSleepers")
    void aSleeperThatIsNotWokenHearsOfTheEnd(Sleeper who, Harm harm) throws Exception {
        try (ServerSocket victims = Honest.listener(); HostilePeer peer = attached(true, victims)) {
            Background<?> thread = who.harmed(harm, peer);
            peer.tcp.setOption(StandardSocketOptions.SO_LINGER, 0);
            peer.tcp.close();
            assertThrows(SocketException.class, thread::result);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSleeperThatIsNotWokenHearsItsTimeOut(Harm harm) throws Exception {
        try (ServerSocket victims = Honest.listener(); HostilePeer peer = attached(true, victims)) {
            peer.victim.setSoTimeout(5_000); // time enough to fall asleep
            Background<?> read = Sleeper.READER.harmed(harm, peer);
            assertThrows(SocketTimeoutException.class, read::result);
        }
    }

    /** The peer rings all the time for no reason. A byte still arrives, both at a thread in a futex and at a parked thread. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBellThatRingsAllTheTime(boolean virtual) throws Exception {
        if (virtual) {
            VirtualThreads.assume();
        }
        try (HostilePeer peer = attached(false, null)) {
            InputStream in = peer.victim.getInputStream();
            Background<Integer> read = virtual ? VirtualThreads.call(in::read) : Background.call(in::read);
            switchNow(peer);
            for (int i = 0; i < Effort.of(5_000, 1_000_000); i++) {
                peer.ring();
            }
            put('x', peer);
            assertEquals('x', read.result());
        }
    }
}
