package jfs.scilib;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** What threads see of each other's turns: a test for jcstress, which {@link TurnLockOrderTest} runs. */
public final class TurnLockOrder {

    private TurnLockOrder() {
    }

    /** TURN-1: each thread sees all turns before its own, and no two turns are at the same time. TURN-2: each thread has its turn. */
    @JCStressTest
    @Outcome(id = {"1, 2, 3", "1, 3, 2", "2, 1, 3", "2, 3, 1", "3, 1, 2", "3, 2, 1"}, expect = ACCEPTABLE)
    @State
    public static class EachSeesTheTurnsBefore {

        private final TurnLock turns = new TurnLock();
        private int first;
        private int second;

        private int next() {
            turns.begin();
            int seen = ++first == ++second ? first : -1;
            turns.end();
            return seen;
        }

        @Actor
        public void one(III_Result r) {
            r.r1 = next();
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = next();
        }

        @Actor
        public void third(III_Result r) {
            r.r3 = next();
        }
    }
}
