package jfs.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** What two cores may see of a {@link BellWord} and of the words that are looked at when the bell was rung: tests for jcstress. */
public final class BellOrder {

    private BellOrder() {
    }

    /** BELL-1, BELL-2: a ring is on its way. A peer that leaves out its own has taken a word that the owner finds taken. */
    @JCStressTest
    @Outcome(id = {"false, true", "true, true", "true, false"}, expect = ACCEPTABLE)
    @State
    public static class ARingThatIsLeftOutIsHeard extends RingOrder.Direction {

        public ARingThatIsLeftOutIsHeard() {
            senders.reader().announce(AsleepWord.BELL);
            receivers.bell().hush();
            receivers.bell().takeRing();
        }

        @Actor
        public void peer(ZZ_Result r) {
            senders.reader().take();
            r.r1 = receivers.bell().takeRing();
        }

        @Actor
        public void owner(ZZ_Result r) {
            receivers.bell().hush();
            r.r2 = senders.reader().isTaken();
        }
    }

    /** Two threads of the peer's: one of them rings. */
    @JCStressTest
    @Outcome(id = {"false, true", "true, false"}, expect = ACCEPTABLE)
    @State
    public static class OneOfTwoRings extends RingOrder.Direction {

        public OneOfTwoRings() {
            receivers.bell().hush();
        }

        @Actor
        public void one(ZZ_Result r) {
            r.r1 = receivers.bell().takeRing();
        }

        @Actor
        public void other(ZZ_Result r) {
            r.r2 = receivers.bell().takeRing();
        }
    }
}
