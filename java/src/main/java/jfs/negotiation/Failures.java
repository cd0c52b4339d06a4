package jfs.negotiation;

import java.util.HashMap;
import java.util.Map;
import jfs.stat.Reason;

/** Whom it would be in vain to ask for a while, and why (R4). Not for several threads. */
final class Failures {

    private static final int MOST = 1024;

    private final Map<String, Known> known = new HashMap<>();

    /** Why somebody is not asked, and until when. */
    private record Known(Refusal why, long until) {
        boolean isOver(long now) {
            return until - now <= 0;
        }
    }

    /** Null if there is no reason not to ask. */
    Refusal of(String whom) {
        Known it = known.get(whom);
        return it == null || it.isOver(System.nanoTime()) ? null : it.why;
    }

    /** If there is room: who is not remembered is asked in vain, that is all. */
    void remember(String whom, Refusal why, long nanos) {
        long now = System.nanoTime();
        if (known.size() >= MOST) {
            known.values().removeIf(it -> it.isOver(now));
        }
        if (known.size() < MOST) {
            known.put(whom, new Known(why, now + nanos));
        }
    }
}
