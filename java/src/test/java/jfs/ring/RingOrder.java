package jfs.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.memory.Shared;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
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

    /** A direction in memory of its own, and the words of the two inboxes. */
    public abstract static class Direction {

        /** Many more than jcstress uses at a time with the strides it is given. Memory is reused: allocating it would take longest. */
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
        /** Whether the sender begins again at the first line as soon as it may. */
        boolean light;

        Direction() {
            int place = (NEXT.getAndIncrement() & PLACES - 1) * 2 * BYTES;
            receivers = new Inbox(fresh(place));
            senders = new Inbox(fresh(place + BYTES));
            sender = new RingSender(receivers.memory(), senders.memory(), WINDOW, OVERFLOW, WINDOW, true, () -> light);
            receiver = new RingReceiver(receivers.memory(), senders.memory(), WINDOW, OVERFLOW, true);
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

        final void spill(byte... from) {
            try {
                sender.spill(from, 0, from.length);
            } catch (CorruptRingException e) {
                throw new AssertionError(e);
            }
        }

        final boolean hasRoom() {
            try {
                return sender.hasRoom();
            } catch (CorruptRingException e) {
                throw new AssertionError(e);
            }
        }

        /** @return how many bytes have come; BROKEN if they are not the expected ones */
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

    /** A receiver that sees the header sees all lines of the record. */
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

    /** RING-1: the lines are full of old words that could be headers. The receiver takes none of them for a header. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 1", "1, 0", "1, 1", "0, 2", "2, 0"}, expect = ACCEPTABLE)
    @State
    public static class OldPayloadsAreNoHeaders extends Direction {

        private static final byte[] OLD = filledWith(0x11, 6 * InboxLayout.LINE - RingSender.HEADER);
        private static final byte[] NEW = filledWith(8, 1);
        private static final byte[] BOTH = filledWith(8, 2);

        public OldPayloadsAreNoHeaders() {
            for (int i = 0; i < 4; i++) { // so that every line has been written to
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

    /** RING-1, for records of one line. The header behind the second record was zeroed in advance. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 1", "1, 0", "1, 1"}, expect = ACCEPTABLE)
    @State
    public static class OldLinesAreNoHeaders extends Direction {

        private static final byte[] NEW = filledWith(8, 1);

        public OldLinesAreNoHeaders() {
            byte[] old = OldPayloadsAreNoHeaders.OLD;
            for (int i = 0; i < 4; i++) { // so that every line has been written to
                for (int at = 0; at < old.length;) {
                    at += send(Arrays.copyOfRange(old, at, old.length));
                    receive(old);
                }
            }
        }

        @Actor
        public void sender() {
            send(NEW);
            if (!sender.sendLine(NEW, 0, 1)) {
                throw new AssertionError("not sent");
            }
            sender.zeroAhead();
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = receiveLine();
            r.r2 = receiveLine();
        }

        private int receiveLine() {
            byte[] into = new byte[1];
            return !receiver.receiveLine(into, 0, 1, 1) ? 0 : into[0] == NEW[0] ? 1 : BROKEN;
        }

        @Arbiter
        public void rest(II_Result r) {
            if (receive(filledWith(8, 2)) != 2 - r.r1 - r.r2) {
                r.r2 = BROKEN;
            }
        }
    }

    /** RING-8: a sender that begins again leaves no old payload where the receiver looks for a header after that. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 1", "1, 0", "1, 1", "0, 2", "2, 0"}, expect = ACCEPTABLE)
    @State
    public static class OldPayloadsAreNoHeadersAfterARewind extends Direction {

        private static final byte[] NEW = filledWith(8, 1);
        private static final byte[] BOTH = filledWith(8, 2);

        private final int at;

        public OldPayloadsAreNoHeadersAfterARewind() {
            byte[] old = OldPayloadsAreNoHeaders.OLD;
            int lines = 0;
            for (int i = 0; i < 4; i++) { // so that every line has been written to
                for (int from = 0; from < old.length;) {
                    int n = send(Arrays.copyOfRange(old, from, old.length));
                    receive(old);
                    lines += n / 120 * 2 + (n % 120 + 63) / 64;
                    from += n;
                }
            }
            at = InboxLayout.RING + lines % 8 * InboxLayout.LINE;
            light = true;
        }

        @Actor
        public void sender() {
            send(NEW);
            if (receivers.memory().getLong(at) != RingSender.REWIND) {
                throw new AssertionError("not begun again");
            }
            send(NEW);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = receive(BOTH);
            r.r2 = receive(BOTH);
        }
    }

    /** RING-2, RING-5: the sender writes lines again that were given back, across the ring's end. They had been read before. */
    @JCStressTest
    @Outcome(id = {"112, 0", "112, 112"}, expect = ACCEPTABLE)
    @State
    public static class LinesAreReadBeforeTheyAreWrittenAgain extends Direction {

        private static final byte[] OLD = filledWith(1, 112);
        private static final byte[] NEW = filledWith(2, 112);

        public LinesAreReadBeforeTheyAreWrittenAgain() {
            send(OLD);
            receive(OLD);
            for (int i = 0; i < 3; i++) { // fills all six lines that data may have; the next record begins in the first line again
                send(OLD);
            }
        }

        @Actor
        public void sender(II_Result r) {
            r.r2 = send(NEW);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = receive(OLD); // a quarter of the ring, so the receiver publishes its head
        }

        @Arbiter
        public void rest(II_Result r) {
            byte[] rest = filledWith(1, 3 * 112);
            Arrays.fill(rest, 2 * 112, 3 * 112, (byte) 2);
            if (receive(rest) != 2 * 112 + r.r2) {
                r.r2 = BROKEN;
            }
        }
    }

    /** RING-4: a receiver that sees that the stream goes on in the overflow ring finds the bytes there. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 1", "0, 2", "1, 0", "1, 1", "2, 0"}, expect = ACCEPTABLE)
    @State
    public static class SpilledBytesComeWithTheSpill extends Direction {

        private static final byte[] ONE = {1};
        private static final byte[] BOTH = {1, 2};

        @Actor
        public void sender() {
            send(ONE);
            spill((byte) 2);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = receive(BOTH);
            r.r2 = receive(r.r1 == 1 ? new byte[] {2} : BOTH);
        }
    }

    /** RING-6, RING-7: the stream goes back to the ring, and into the overflow ring once more. The receiver doesn't lose its place. */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 1", "0, 2", "1, 0", "1, 1", "2, 0"}, expect = ACCEPTABLE)
    @State
    public static class TheWayBackIsFound extends Direction {

        private static final byte[] BOTH = {2, 3};

        public TheWayBackIsFound() {
            spill((byte) 1);
            receive(new byte[] {1});
        }

        @Actor
        public void sender() {
            send(new byte[] {2});
            spill((byte) 3);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = receive(BOTH);
            r.r2 = receive(r.r1 == 1 ? new byte[] {3} : BOTH);
        }
    }

    /** SWITCH-2: a receiver that sees bytes in the ring knows their place in the stream. */
    @JCStressTest
    @Outcome(id = {"false, -1", "false, 4294967301", "true, 4294967301"}, expect = ACCEPTABLE)
    @State
    public static class TheSwitchComesBeforeTheBytes extends Direction {

        private static final byte[] ONE = {1};

        @Actor
        public void sender() {
            receivers.setSwitched((1L << 32) + 5);
            send(ONE);
        }

        @Actor
        public void receiver(ZJ_Result r) {
            r.r1 = receive(ONE) > 0;
            r.r2 = receivers.switched();
        }
    }

    /** A receiver that sees the end finds all bytes before it. */
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

    /** ORDER-1: the sender wakes the reader, or the reader sees the bytes. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASleepingReaderIsWoken extends Direction {

        private static final byte[] ONE = {1};

        @Actor
        public void sender(ZZ_Result r) {
            send(ONE);
            r.r1 = senders.reader().take() == AsleepWord.FUTEX;
        }

        @Actor
        public void reader(ZZ_Result r) {
            senders.reader().announce(AsleepWord.FUTEX);
            r.r2 = receive(ONE) > 0;
        }
    }

    /** ORDER-1: the sender that switches wakes the reader, or the reader sees the switch. */
    @JCStressTest
    @Outcome(id = {"true, -1", "false, 5", "true, 5"}, expect = ACCEPTABLE)
    @State
    public static class ASleepingReaderIsWokenByTheSwitch extends Direction {

        private static final byte[] ONE = {1};

        @Actor
        public void sender(ZJ_Result r) {
            receivers.setSwitched(5);
            send(ONE);
            r.r1 = senders.reader().take() == AsleepWord.FUTEX;
        }

        @Actor
        public void reader(ZJ_Result r) {
            senders.reader().announce(AsleepWord.FUTEX);
            r.r2 = receivers.switched();
        }
    }

    /** ORDER-1: the sender that ends the stream wakes the reader, or the reader sees the end. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASleepingReaderIsWokenByTheEnd extends Direction {

        @Actor
        public void sender(ZZ_Result r) {
            receivers.setEnded(true);
            r.r1 = senders.reader().take() == AsleepWord.FUTEX;
        }

        @Actor
        public void reader(ZZ_Result r) {
            senders.reader().announce(AsleepWord.FUTEX);
            r.r2 = receivers.ended() && receivers.endedByReset();
        }
    }

    /** ORDER-1: the receiver wakes the writer, or the writer sees the room. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASleepingWriterIsWokenByRoom extends Direction {

        private static final byte[] TOO_MUCH = new byte[2 * WINDOW];

        /** So long that the receiver gives the room back at once, as the last step of a receive. */
        private final byte[] into = new byte[WINDOW / 4 - RingSender.HEADER];

        public ASleepingWriterIsWokenByRoom() {
            send(TOO_MUCH);
        }

        @Actor
        public void receiver(ZZ_Result r) {
            receive(into);
            r.r1 = receiver.takeProgress() && receivers.writer().take() == AsleepWord.FUTEX;
        }

        @Actor
        public void writer(ZZ_Result r) {
            receivers.writer().announce(AsleepWord.FUTEX);
            r.r2 = hasRoom();
        }
    }

    /** ORDER-1, RING-6: the same with ring and overflow ring full, where a writer really sleeps. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASleepingWriterIsWokenByADrainedOverflow extends Direction {

        private final byte[] into = new byte[WINDOW + OVERFLOW];

        public ASleepingWriterIsWokenByADrainedOverflow() {
            send(into);
            spill(into);
        }

        @Actor
        public void receiver(ZZ_Result r) {
            receive(into);
            r.r1 = receiver.takeProgress() && receivers.writer().take() == AsleepWord.FUTEX;
        }

        @Actor
        public void writer(ZZ_Result r) {
            receivers.writer().announce(AsleepWord.FUTEX);
            r.r2 = hasRoom();
        }
    }

    /** ORDER-1: the receiver that closes wakes the writer, or the writer sees the close. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASleepingWriterIsWokenByAClose extends Direction {

        @Actor
        public void receiver(ZZ_Result r) {
            senders.setReceiver(true, false, true);
            r.r1 = receivers.writer().take() == AsleepWord.FUTEX;
        }

        @Actor
        public void writer(ZZ_Result r) {
            receivers.writer().announce(AsleepWord.FUTEX);
            r.r2 = senders.receiverClosed();
        }
    }

    /** Only one of two threads wakes a sleeper. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true"}, expect = ACCEPTABLE)
    @State
    public static class OneOfTwoWakesASleeper extends Direction {

        public OneOfTwoWakesASleeper() {
            senders.reader().announce(AsleepWord.FUTEX);
        }

        @Actor
        public void sender(ZZ_Result r) {
            r.r1 = senders.reader().take() == AsleepWord.FUTEX;
        }

        @Actor
        public void closer(ZZ_Result r) {
            r.r2 = senders.reader().take() == AsleepWord.FUTEX;
        }
    }

    /** READY and the rest of its word are published together. A writer that may switch knows what becomes of an urgent byte (SWITCH-4). */
    @JCStressTest
    @Outcome(id = {"false, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ReadyComesWithWhatIsUrgent extends Direction {

        @Actor
        public void receiver() {
            senders.setReceiver(false, true, false);
            senders.setReceiver(true, true, false);
        }

        @Actor
        public void writer(ZZ_Result r) {
            r.r1 = senders.receiverReady();
            r.r2 = senders.receiverTakesUrgent();
        }
    }
}
