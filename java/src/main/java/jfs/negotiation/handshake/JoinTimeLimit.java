package jfs.negotiation.handshake;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import jfs.wait.NanoClock;

/**
 * How long the joins of each party have made the event loop's thread wait. A peer process can make a join last half a second. A party
 * whose joins have taken long in all, and long on average, is not served for a while. The average tells such a party from one whose
 * joins are slow now and then because the machine is busy: most joins need no step of the peer process
 * ({@code jfs.transport.sci.Regions}). For the same reason no join counts for more than a peer process can make it last: the first one
 * of a young JVM may take seconds.
 *
 * <p>Not thread-safe.
 */
final class JoinTimeLimit {

    /** What a peer can make one join last. */
    static final long JOIN_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long AVERAGE_NANOS_MAX = JOIN_NANOS_MAX / 2;
    /**
     * A party gets five joins of the longest time, and no sixth one. The limit is less than five times that time, because a join that is
     * given up may end up to a millisecond before its time: the library's deadlines are whole milliseconds.
     */
    private static final long MOST_NANOS = 5 * JOIN_NANOS_MAX - JOIN_NANOS_MAX / 2;
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final LongSupplier nanoTime;
    private final Map<Long, Waited> parties = new HashMap<>();

    JoinTimeLimit() {
        this(new NanoClock());
    }

    /** @param nanoTime the time, as {@link System#nanoTime} has it */
    JoinTimeLimit(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** How long one party's joins have taken in all, how many they were, and until when that is remembered. */
    private record Waited(long nanos, int joins, long until) {
        boolean isOver(long now) {
            return until - now <= 0;
        }

        boolean isTooLong() {
            return nanos >= MOST_NANOS && nanos / joins > AVERAGE_NANOS_MAX;
        }
    }

    /** @return whether that party is not to be served now */
    boolean isExceededBy(long party) {
        Waited it = parties.get(party);
        return it != null && it.isTooLong() && !it.isOver(nanoTime.getAsLong());
    }

    /** A join took that many nanoseconds, whatever came of it. A party without a slow join is not remembered. */
    void joined(long party, long took) {
        long nanos = Math.min(took, JOIN_NANOS_MAX);
        Waited before = parties.get(party);
        boolean slow = nanos > SLOW_NANOS;
        if (before == null && !slow) {
            return;
        }
        long now = nanoTime.getAsLong();
        if (slow) {
            for (Iterator<Waited> all = parties.values().iterator(); all.hasNext();) {
                if (all.next().isOver(now)) {
                    all.remove();
                }
            }
            before = parties.get(party);
        }
        long until = slow ? now + MEMORY_NANOS : before.until;
        parties.put(party, before == null ? new Waited(nanos, 1, until)
                : new Waited(before.nanos + nanos, before.joins + 1, until));
    }
}
