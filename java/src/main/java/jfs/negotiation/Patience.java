package jfs.negotiation;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Who has made us wait. A join may block for half a second if the peer wants it to; who has made us wait so long in all, a
 * tenth of a second or more at a time, is not served until he has not done so for a while. Not for several threads.
 */
final class Patience {

    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(1_200);
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final Map<Long, Waited> parties = new HashMap<>();

    /** How long in all, and until when that is remembered. */
    private record Waited(long nanos, long until) {
        boolean isOver(long now) {
            return until - now <= 0;
        }
    }

    boolean isOverWith(long party) {
        Waited it = parties.get(party);
        return it != null && it.nanos > MOST_NANOS && !it.isOver(System.nanoTime());
    }

    /** Whatever the outcome: the others have waited too. */
    void waited(long party, long nanos) {
        if (nanos <= SLOW_NANOS) {
            return;
        }
        long now = System.nanoTime();
        parties.values().removeIf(it -> it.isOver(now));
        Waited before = parties.get(party);
        parties.put(party, new Waited(nanos + (before == null ? 0 : before.nanos), now + MEMORY_NANOS));
    }
}
