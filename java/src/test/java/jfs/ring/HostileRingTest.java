package jfs.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import jfs.Fuzz;
import jfs.memory.Shared;
import jfs.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The peer writes arbitrary values into the memory. Each call must return, either with a number that its caller can use or
 * with the exception for memory that the peer has corrupted. Set {@code test.seed} to repeat a failure.
 */
@Timeout(60)
class HostileRingTest {

    private static final int WINDOW = InboxLayout.WINDOW_MIN;
    private static final int OVERFLOW = InboxLayout.PAGE;
    /** The JDKs of one run of the tests share the larger number. */
    private static final int ROUNDS = Fuzz.rounds(HostileRingTest.class, 4_000, 200_000);
    private static final int STEPS = 100;

    private static final int[] WORDS = {InboxLayout.SWITCHED, InboxLayout.ENDED, InboxLayout.OVERFLOW_TAIL,
        InboxLayout.OVERFLOW_END, InboxLayout.RECEIVER, InboxLayout.HEAD, InboxLayout.OVERFLOW_HEAD,
        InboxLayout.READER_ASLEEP, InboxLayout.WRITER_ASLEEP};

    private final int bytes = InboxLayout.inboxBytes(WINDOW, OVERFLOW);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(2 * bytes);
    private final Shared receivers = new Shared(memory, 0, bytes);
    private final Shared senders = new Shared(memory, bytes, bytes);
    private final Claim claim = new Claim();
    private RingSender sender;
    private RingReceiver receiver;

    private void begin() {
        memory.duplicate().put(new byte[2 * bytes]);
        sender = new RingSender(receivers, senders, WINDOW, OVERFLOW, 1024, true, () -> true);
        receiver = new RingReceiver(receivers, senders, WINDOW, OVERFLOW, true);
    }

    @Test
    void anyWordMayBeAnything() {
        long first = Long.getLong("test.seed", System.nanoTime());
        int corrupt = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long seed = first + round;
            begin();
            Random random = new Random(seed);
            try {
                for (int step = 0; step < STEPS; step++) {
                    if (random.nextInt(3) == 0) {
                        lie(random);
                    } else {
                        use(random);
                    }
                }
            } catch (CorruptRingException e) {
                corrupt++;
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("-Dtest.seed=" + seed, e);
            }
        }
        assertTrue(corrupt > ROUNDS / 2 && corrupt < ROUNDS, corrupt + " of " + ROUNDS + " were noticed");
    }

    private void use(Random random) throws CorruptRingException {
        byte[] buffer = new byte[1 + random.nextInt(random.nextBoolean() ? 100 : 2 * WINDOW)];
        switch (random.nextInt(9)) {
            case 0, 1 -> within(sender.send(buffer, 0, buffer.length), buffer.length);
            case 2 -> within(sender.spill(buffer, 0, buffer.length), buffer.length);
            case 3, 4 -> within(receiver.receive(buffer, 0, buffer.length), buffer.length);
            case 5 -> claimAndCommit(buffer, random);
            case 6 -> peekAndRelease(buffer);
            case 7 -> {
                within(receiver.available(), 2 * (WINDOW + OVERFLOW));
                receiver.hasNews();
                sender.hasRoom();
            }
            default -> sender.freePages((offset, length) -> {
                assertEquals(0, offset % InboxLayout.PAGE + length % InboxLayout.PAGE);
                assertTrue(offset >= InboxLayout.RING && length > 0 && offset + length <= bytes);
            });
        }
    }

    private void claimAndCommit(byte[] buffer, Random random) throws CorruptRingException {
        if (sender.claim(claim, 1 + random.nextInt(buffer.length), buffer.length)) {
            within(claim.length(), buffer.length);
            assertTrue(claim.offset() >= InboxLayout.RING && claim.offset() + claim.length() <= InboxLayout.RING + WINDOW);
            claim.memory().put(claim.offset(), buffer, 0, claim.length());
            sender.commit(1 + random.nextInt(claim.length()));
        }
    }

    private void peekAndRelease(byte[] buffer) throws CorruptRingException {
        int n = receiver.peek(claim);
        within(n, WINDOW + OVERFLOW);
        if (n > 0) {
            assertTrue(claim.offset() >= InboxLayout.RING && claim.offset() + n <= bytes);
            int part = Math.min(n, buffer.length);
            claim.memory().get(claim.offset(), buffer, 0, part);
            receiver.release(part);
        }
    }

    private static void within(int n, int most) {
        assertTrue(n >= 0 && n <= most, () -> n + " of " + most);
    }

    /** Writes a false value into a control word, or into a word that may be a record's header. */
    private void lie(Random random) {
        Shared inbox = random.nextBoolean() ? receivers : senders;
        int word = random.nextInt(3) == 0 ? InboxLayout.RING + random.nextInt(WINDOW / InboxLayout.LINE) * InboxLayout.LINE
                : WORDS[random.nextInt(WORDS.length)];
        long now = inbox.getLong(word);
        inbox.setLong(word, switch (random.nextInt(8)) {
            case 0 -> random.nextLong();
            case 1 -> Long.MIN_VALUE + random.nextInt(3);
            case 2 -> Long.MAX_VALUE - random.nextInt(3);
            case 3 -> (long) Integer.MAX_VALUE + random.nextInt(3) - 1;
            case 4 -> random.nextInt(2 * WINDOW);
            case 5 -> random.nextInt(4) - 2;
            default -> now + random.nextInt(2 * OVERFLOW) - OVERFLOW / 2;
        });
    }

    /** A peer maps memory of the sizes in an offer, and may fill it. */
    @Test
    void sizes() {
        int overflow = InboxLayout.OVERFLOW_MAX;
        assertTrue(InboxLayout.valid(InboxLayout.WINDOW_MAX, overflow));
        assertTrue(2L * InboxLayout.inboxBytes(InboxLayout.WINDOW_MAX, overflow) < 200 << 20);
        for (int wrong : new int[] {Integer.MIN_VALUE, -1, 0, 1, 4095, 4097, overflow + 4096, 2 * overflow, 1 << 30}) {
            assertFalse(InboxLayout.valid(InboxLayout.WINDOW_MIN, wrong), () -> "overflow " + wrong);
        }
    }

    /** A receiver that accepted such a REWIND would loop for ever (RING-8). */
    @Test
    void aRewindAtTheFirstLine() {
        begin();
        receivers.setLong(InboxLayout.RING, RingSender.REWIND);
        byte[] buffer = new byte[10];
        assertThrows(CorruptRingException.class, () -> receiver.receive(buffer, 0, 10));
        assertThrows(CorruptRingException.class, receiver::available);
    }

    /** {@link #anyWordMayBeAnything} has found this case: the result was a negative number. */
    @Test
    void anEndThatLiesBeyondTheTail() throws Exception {
        begin();
        receivers.setLong(InboxLayout.RING, RingSender.SPILLED);
        receivers.setLong(InboxLayout.OVERFLOW_TAIL, 5);
        receivers.setLong(InboxLayout.OVERFLOW_END, 10);
        assertThrows(CorruptRingException.class, receiver::available);
    }

    /** The peer makes records shorter or longer after they were counted. The count stays within what a ring can hold. */
    @Test
    void headersThatChangeAfterTheyWereCounted() throws Exception {
        int lines = WINDOW / InboxLayout.LINE;
        byte[] buffer = new byte[WINDOW];
        for (int[] lengths : new int[][] {{1, 500}, {500, 1}}) { // the lengths when they are counted, and when they are received
            begin();
            int line = 0;
            for (int step = 0; step < 1_000; step++) {
                for (int i = 0; i < lines; i++) {
                    setHeader(line + i, lengths[0]);
                }
                within(receiver.available(), 2 * WINDOW);
                setHeader(line, lengths[1]);
                assertEquals(lengths[1], receiver.receive(buffer, 0, lengths[1]));
                line += InboxLayout.linesOf(lengths[1]);
            }
            memory.duplicate().put(new byte[2 * bytes]);
            assertEquals(0, receiver.receive(buffer, 0, buffer.length));
        }
    }

    private void setHeader(int line, int length) {
        receivers.setLong(InboxLayout.RING + line * InboxLayout.LINE % WINDOW, length);
    }

    /** A receiver reports one spill after the other as drained, but never consumes the SPILLED records in the ring. */
    @Test
    void spillsWithoutEnd() throws Exception {
        begin();
        byte[] one = new byte[1];
        while (sender.send(one, 0, 1) > 0) {
            // fills the ring
        }
        assertEquals(1, sender.spill(one, 0, 1));
        senders.setLong(InboxLayout.OVERFLOW_HEAD, 1);
        assertEquals(0, sender.send(one, 0, 1));
        assertThrows(CorruptRingException.class, () -> sender.spill(one, 0, 1));
    }

    /** A length must be read only once: a second read may give another length, for which the reader's buffer has no room. */
    @Test
    void wordsThatChangeWhileTheyAreRead() throws Exception {
        long seed = Long.getLong("test.seed", System.nanoTime());
        begin();
        Thread liar = new Thread(() -> {
            Random random = new Random(seed);
            while (!Thread.currentThread().isInterrupted()) {
                lie(random);
            }
        });
        liar.start();
        Random random = new Random(~seed);
        try {
            for (int i = 0; i < ROUNDS * 10; i++) {
                try {
                    use(random);
                } catch (CorruptRingException e) {
                    begin();
                } catch (RuntimeException e) {
                    throw new AssertionError("-Dtest.seed=" + seed, e);
                }
            }
        } finally {
            liar.interrupt();
            liar.join();
        }
    }

    /** A peer that shares the memory may write any header. */
    @Test
    void noHeaderMakesTheReceiverLookOutsideOfTheRing() throws Exception {
        for (long header : new long[] {-1, -2, -3, Long.MIN_VALUE, 1, WINDOW, WINDOW - 136, WINDOW - 137, 1L << 32, Long.MAX_VALUE}) {
            Ends d = new Ends(WINDOW, OVERFLOW, 1_024);
            d.receivers.setLongRelease(InboxLayout.RING, header);
            d.receiver.hasSeveral();
        }
    }

    @Test
    void aSenderIsNotFooledByAnImpossibleHead() throws Exception {
        for (long head : new long[] {-1, 1000, Long.MAX_VALUE, Long.MIN_VALUE}) {
            Ends d = new Ends(WINDOW, OVERFLOW, 1024);
            d.senders.setLong(InboxLayout.HEAD, head);
            byte[] block = new byte[WINDOW];
            CorruptRingException e =
                    assertThrows(CorruptRingException.class, () -> d.sender.send(block, 0, block.length));
            assertTrue(e.getMessage().contains(Long.toString(head)), e.getMessage());
        }
    }

    @Test
    void aReceiverIsNotFooledByImpossibleWords() throws Exception {
        byte[] into = new byte[WINDOW];
        for (long header : new long[] {-2, WINDOW, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32}) {
            Ends d = new Ends(WINDOW, OVERFLOW, 1024);
            d.receivers.setLong(InboxLayout.RING, header);
            assertThrows(CorruptRingException.class, () -> d.receiver.receive(into, 0, into.length));
            assertThrows(CorruptRingException.class, () -> d.receiver.available());
        }
        Ends fooled = new Ends(WINDOW, OVERFLOW, 1024); // an END beyond the tail
        fooled.receivers.setLong(InboxLayout.OVERFLOW_END, 100);
        fooled.receivers.setLong(InboxLayout.RING, RingSender.SPILLED);
        fooled.receivers.setLong(InboxLayout.RING + InboxLayout.LINE, RingSender.SPILLED);
        assertThrows(CorruptRingException.class, () -> fooled.receiver.receive(into, 0, into.length));
        for (long tail : new long[] {OVERFLOW + 1L, -1}) {
            Ends d = new Ends(WINDOW, OVERFLOW, 1024);
            d.receivers.setLong(InboxLayout.OVERFLOW_TAIL, tail);
            d.receivers.setLong(InboxLayout.RING, RingSender.SPILLED);
            assertThrows(CorruptRingException.class, () -> d.receiver.receive(into, 0, into.length));
        }
    }
}
