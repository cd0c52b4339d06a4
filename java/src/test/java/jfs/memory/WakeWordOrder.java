package jfs.memory;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A test for jcstress: what two threads of one process may see of a {@link WakeWord}. {@code RingOrderTest} runs it. */
public final class WakeWordOrder {

    private WakeWordOrder() {
    }

    /** ORDER-1: a sleeper that does not see the change before it sleeps is woken. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASleeperIsWokenByItsProcess {

        /** Many more than jcstress uses at a time with the strides it is given. They are reused: making them would take longest. */
        private static final WakeWord[] WORDS = new WakeWord[4096];
        private static final AtomicInteger NEXT = new AtomicInteger();

        static {
            for (int i = 0; i < WORDS.length; i++) {
                WORDS[i] = new WakeWord();
            }
        }

        private final WakeWord word = WORDS[NEXT.getAndIncrement() & WORDS.length - 1];
        private boolean change;

        public ASleeperIsWokenByItsProcess() {
            word.retract();
        }

        @Actor
        public void sleeper(ZZ_Result r) {
            word.announce();
            r.r2 = change;
        }

        @Actor
        public void waker(ZZ_Result r) {
            change = true;
            r.r1 = word.take();
        }
    }
}
