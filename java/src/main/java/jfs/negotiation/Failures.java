package jfs.negotiation;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;
import jfs.wait.NanoClock;

/** Whom it would be in vain to ask for a while, and why (NEG-4). Not for several threads. */
final class Failures {

    private static final int MOST = 1024;

    private final Map<String, Known> known = new HashMap<>();
    private final LongSupplier nanoTime;

    /** Why somebody is not asked, for how long, and until when. */
    private record Known(Refusal why, long nanos, long until) {
        boolean isOver(long now) {
            return until - now <= 0;
        }
    }

    Failures() {
        this(new NanoClock());
    }

    /** @param nanoTime the time, as {@link System#nanoTime} has it */
    Failures(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Null if there is no reason not to ask. */
    Refusal of(String whom) {
        Known it = known.get(whom);
        return it == null || it.isOver(nanoTime.getAsLong()) ? null : it.why;
    }

    /** If there is room: who is not remembered is asked in vain, that is all. */
    void remember(String whom, Refusal why, long nanos) {
        long now = nanoTime.getAsLong();
        if (known.size() >= MOST) {
            for (Iterator<Known> all = known.values().iterator(); all.hasNext();) {
                if (all.next().isOver(now)) {
                    all.remove();
                }
            }
        }
        if (known.size() < MOST) {
            known.put(whom, new Known(why, nanos, now + nanos));
        }
    }

    /** The same. If it is for the reason of the last time, then for twice as long, but no longer than the most. */
    void rememberLonger(String whom, Refusal why, long leastNanos, long mostNanos) {
        Known last = known.get(whom);
        boolean again = last != null && last.why.reason() == why.reason();
        remember(whom, why, again ? Math.min(2 * last.nanos, mostNanos) : leastNanos);
    }

    /** It has answered. */
    void forget(String whom) {
        known.remove(whom);
    }
}
