package jfs.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What two cores may see of the bytes in the two rings: tests for jcstress, which {@link RingOrderTest} runs. */
public final class RingOrder {

    private RingOrder() {
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

    /**
     * RING-1, of bytes in place: the sender fills three lines with words that could be headers, and commits one line of them. The receiver
     * sees that line as it was filled, and takes nothing behind it for a header.
     */
    @JCStressTest
    @Outcome(id = {"0, 0", "0, 50", "50, 0"}, expect = ACCEPTABLE)
    @State
    public static class WhatIsNotCommittedIsNoHeader extends Direction {

        private static final byte[] COMMITTED = filledWith(1, 50);

        @Actor
        public void sender() {
            sendInPlace(1, 3 * InboxLayout.LINE, 50);
        }

        @Actor
        public void receiver(II_Result r) {
            r.r1 = receiveInPlace(COMMITTED);
            r.r2 = receiveInPlace(COMMITTED);
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
}
