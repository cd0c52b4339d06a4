package jfs.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZJ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** What a core that sees one word of an inbox finds in the rest of it: tests for jcstress, which {@link RingOrderTest} runs. */
public final class InboxWordOrder {

    private InboxWordOrder() {
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
