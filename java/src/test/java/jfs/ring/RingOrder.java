package jfs.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.memory.Shared;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZJ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** What two cores may see of each other's stores: tests for jcstress, which {@link RingOrderTest} runs. */
public final class RingOrder {

    private static final int WINDOW = 8 * InboxLayout.LINE;
    private static final int OVERFLOW = InboxLayout.LINE;
    private static final int BROKEN = -1;

    private RingOrder() {
    }

    /** A direction on memory of its own, and the two inboxes' words. */
    public abstract static class Direction {

        /** Many more than jcstress has in use at a time with the strides it is given; allocating would take longest. */
        private static final int PLACES = 4096;
        private static final int BYTES = InboxLayout.inboxBytes(WINDOW, OVERFLOW);
        private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(PLACES * 2 * BYTES);
        private static final byte[] WORDS = new byte[InboxLayout.WRITER_ASLEEP + 4];
        private static final byte[] RINGS = new byte[WINDOW + OVERFLOW];
        private static final AtomicInteger NEXT = new AtomicInteger();

        final Inbox receivers;
        final Inbox senders;
        final RingSender sender;
        final RingReceiver receiver;

        Direction() {
            int place = (NEXT.getAndIncrement() & PLACES - 1) * 2 * BYTES;
            receivers = new Inbox(fresh(place));
            senders = new Inbox(fresh(place + BYTES));
            sender = new RingSender(receivers.memory(), senders.memory(), WINDOW, OVERFLOW, WINDOW);
            receiver = new RingReceiver(receivers.memory(), senders.memory(), WINDOW, OVERFLOW);
        }

        private static Shared fresh(int offset) {
            Shared memory = new Shared(MEMORY, offset, BYTES);
            memory.put(0, WORDS, 0, WORDS.length);
            memory.put(InboxLayout.RING, RINGS, 0, RINGS.length);
            return memory;
        }

        final int send(byte[] from) {
            try {
                return sender.send(from, 0, from.length);
            } catch (CorruptRingException e) {
                throw new AssertionError(e);
            }
        }

        /** How many bytes came; BROKEN if they are not these. */
        final int receive(byte[] expected) {
            byte[] into = new byte[expected.length];
            try {
                int n = receiver.receive(into, 0, into.length);
                return Arrays.equals(into, 0, n, expected, 0, n) ? n : BROKEN;
            } catch (CorruptRingException e) {
                return BROKEN;
            }
        }
    }

    private static byte[] filledWith(int value, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    /** Whoever sees the header sees all lines of the record. */
    @JCStressTest
    @Outcome(id = {"0", "110"}, expect = ACCEPTABLE)
    @State
    public static class PayloadsComeWithTheirHeader extends Direction {

        private static final byte[] PAYLOAD = filledWith(7, 110);

        @Actor
        public void sender() {
            send(PAYLOAD);
        }

        @Actor
        public void receiver(I_Result r) {
            r.r1 = receive(PAYLOAD);
        }
    }

    /** I1: the lines are full of what could be headers, none of which is taken for one. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 1", "1, 0", "1, 1", "0, 2", "2, 0"}, expect = ACCEPTABLE)
    @State
    public static class OldPayloadsAreNoHeaders extends Direction {

        private static final byte[] OLD = filledWith(0x11, 6 * InboxLayout.LINE - RingSender.HEADER);
        private static final byte[] NEW = filledWith(8, 1);
        private static final byte[] BOTH = filledWith(8, 2);

        public OldPayloadsAreNoHeaders() {
            for (int i = 0; i < 4; i++) { // and so every line has been written to
                for (int at = 0; at < OLD.length;) {
                    at += send(Arrays.copyOfRange(OLD, at, OLD.length));
                    receive(OLD);
                }
            }
        }

        @Actor
        public void sender() {
            send(NEW);
            send(NEW);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = receive(BOTH);
            r.r2 = receive(BOTH);
        }
    }

    /** R6: whoever sees bytes in the ring knows where in the stream they belong. */
    @JCStressTest
    @Outcome(id = {"false, -1", "false, 5", "true, 5"}, expect = ACCEPTABLE)
    @State
    public static class TheSwitchComesBeforeTheBytes extends Direction {

        private static final byte[] ONE = {1};

        @Actor
        public void sender() {
            receivers.setSwitched(5);
            send(ONE);
        }

        @Actor
        public void receiver(ZJ_Result r) {
            r.r1 = receive(ONE) > 0;
            r.r2 = receivers.switched();
        }
    }

    /** Whoever sees the end finds all that came before it. */
    @JCStressTest
    @Outcome(id = {"false, 0", "false, 1", "true, 1"}, expect = ACCEPTABLE)
    @State
    public static class TheEndComesAfterTheBytes extends Direction {

        private static final byte[] ONE = {1};

        @Actor
        public void sender() {
            send(ONE);
            receivers.setEnded(false);
        }

        @Actor
        public void receiver(ZI_Result r) {
            r.r1 = receivers.ended();
            r.r2 = receive(ONE);
        }
    }

    /** R10: the sender wakes the reader, or the reader sees the bytes. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASleepingReaderIsWoken extends Direction {

        private static final byte[] ONE = {1};

        @Actor
        public void sender(ZZ_Result r) {
            send(ONE);
            r.r1 = senders.takeReaderAsleep();
        }

        @Actor
        public void reader(ZZ_Result r) {
            senders.announceReader();
            r.r2 = receive(ONE) > 0;
        }
    }

    /** R10: the receiver wakes the writer, or the writer sees the room. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASleepingWriterIsWokenByRoom extends Direction {

        private static final byte[] TOO_MUCH = new byte[2 * WINDOW];

        /** So much that its room is given back at once, as the last that receiving does. */
        private final byte[] into = new byte[WINDOW / 4 - RingSender.HEADER];

        public ASleepingWriterIsWokenByRoom() {
            send(TOO_MUCH);
        }

        @Actor
        public void receiver(ZZ_Result r) {
            try {
                receiver.receive(into, 0, into.length);
            } catch (CorruptRingException e) {
                throw new AssertionError(e);
            }
            r.r1 = receiver.takeProgress() && receivers.takeWriterAsleep();
        }

        @Actor
        public void writer(ZZ_Result r) {
            receivers.announceWriter();
            try {
                r.r2 = sender.hasRoom();
            } catch (CorruptRingException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** R10: the receiver that closes wakes the writer, or the writer sees that it has. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASleepingWriterIsWokenByAClose extends Direction {

        @Actor
        public void receiver(ZZ_Result r) {
            senders.setReceiver(true, false, true);
            r.r1 = receivers.takeWriterAsleep();
        }

        @Actor
        public void writer(ZZ_Result r) {
            receivers.announceWriter();
            r.r2 = senders.receiverClosed();
        }
    }

    /** One ring for one sleeper. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true"}, expect = ACCEPTABLE)
    @State
    public static class OneOfTwoWakesASleeper extends Direction {

        public OneOfTwoWakesASleeper() {
            senders.announceReader();
        }

        @Actor
        public void sender(ZZ_Result r) {
            r.r1 = senders.takeReaderAsleep();
        }

        @Actor
        public void closer(ZZ_Result r) {
            r.r2 = senders.takeReaderAsleep();
        }
    }
}
