package jfs.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Whether a thread that goes to sleep and the thread that has news for it miss each other: tests for jcstress, which
 * {@link RingOrderTest} runs.
 */
public final class AsleepWordOrder {

    private AsleepWordOrder() {
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
}
