package jfs.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Who uses a place of a region (PLACE-1): tests for jcstress, which {@link RingOrderTest} runs. */
public final class PlaceOrder {

    private static final long NONCE = 7;
    /** The words that the connecting and the accepting end write last, before they leave. */
    private static final int CONNECTORS = InboxLayout.HEAD;
    private static final int ACCEPTORS = InboxLayout.OVERFLOW_HEAD;

    private PlaceOrder() {
    }

    /** A connecting end's inbox, with a place that both ends have joined. */
    public abstract static class Joined extends Direction {

        final Inbox place = senders;

        Joined() {
            place.offerPlace(NONCE);
            place.joinPlace(NONCE);
        }

        /** @return 1 if this end leaves last, else 0; BROKEN if it leaves last and doesn't see all that the other end has done */
        final int leave(int own, int others) {
            place.memory().setLong(own, 1);
            if (place.leavePlaceFirst()) {
                return 0;
            }
            boolean all = place.memory().getLong(others) == 1;
            place.clear();
            place.freePlace();
            return all ? 1 : BROKEN;
        }
    }

    /** One of the ends leaves last. It clears what the other end has left behind. */
    @JCStressTest
    @Outcome(id = {"0, 1", "1, 0"}, expect = ACCEPTABLE)
    @State
    public static class OneIsTheLast extends Joined {

        @Actor
        public void connector(II_Result r) {
            r.r1 = leave(CONNECTORS, ACCEPTORS);
        }

        @Actor
        public void acceptor(II_Result r) {
            r.r2 = leave(ACCEPTORS, CONNECTORS);
        }
    }

    /** The connecting end has left first. When it finds the place free, it finds it cleared too. */
    @JCStressTest
    @Outcome(id = {"0", "1"}, expect = ACCEPTABLE)
    @State
    public static class AFreePlaceIsCleared extends Joined {

        public AFreePlaceIsCleared() {
            leave(CONNECTORS, ACCEPTORS);
        }

        @Actor
        public void acceptor() {
            leave(ACCEPTORS, CONNECTORS);
        }

        @Actor
        public void connector(I_Result r) {
            boolean free = place.isPlaceFree();
            boolean cleared = place.memory().getLong(CONNECTORS) == 0 && place.memory().getLong(ACCEPTORS) == 0;
            r.r1 = !free ? 0 : cleared ? 1 : BROKEN;
        }
    }

    /** The connecting end withdraws an offer while the accepting end joins it. Only one of the two succeeds. */
    @JCStressTest
    @Outcome(id = {"0, 1", "1, 0"}, expect = ACCEPTABLE)
    @State
    public static class JoinedOrWithdrawn extends Direction {

        public JoinedOrWithdrawn() {
            senders.offerPlace(NONCE);
        }

        @Actor
        public void connector(II_Result r) {
            r.r1 = senders.withdrawPlace(NONCE) ? 1 : 0;
        }

        @Actor
        public void acceptor(II_Result r) {
            r.r2 = senders.joinPlace(NONCE) ? 1 : 0;
        }
    }
}
