package jfs.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Tests for jcstress: what two cores may see of a {@link BellWord}, and of the asleep words that the owner reads after a ring. */
public final class BellOrder {

    private BellOrder() {
    }

    /** BELL-1, BELL-2: a ring is on its way. If the peer therefore does not ring, the owner finds that the peer has taken the word. */
    @JCStressTest
    @Outcome(id = {"false, true", "true, true", "true, false"}, expect = ACCEPTABLE)
    @State
    public static class ARingThatIsLeftOutIsHeard extends Direction {

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

    /** Two threads of the peer want to ring. Only one of them does. */
    @JCStressTest
    @Outcome(id = {"false, true", "true, false"}, expect = ACCEPTABLE)
    @State
    public static class OneOfTwoRings extends Direction {

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
