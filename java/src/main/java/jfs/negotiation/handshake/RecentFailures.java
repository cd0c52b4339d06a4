package jfs.negotiation.handshake;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;
import jfs.negotiation.policy.Refusal;
import jfs.wait.NanoClock;

/** The hosts and listeners that are not asked for a while, because offers to them have failed, and why (NEG-4). Not thread-safe. */
public final class RecentFailures {

    private static final int MOST = 1024;

    private final Map<String, Known> known = new HashMap<>();
    private final LongSupplier nanoTime;

    /** Why a host or listener is not asked, for how long in all, and until when. */
    private record Known(Refusal why, long nanos, long until) {
        boolean isOver(long now) {
            return until - now <= 0;
        }
    }

    public RecentFailures() {
        this(new NanoClock());
    }

    /** @param nanoTime the time, as {@link System#nanoTime} has it */
    RecentFailures(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @return null if there is no reason not to ask */
    public Refusal of(String whom) {
        Known it = known.get(whom);
        return it == null || it.isOver(nanoTime.getAsLong()) ? null : it.why;
    }

    /** Remembers a failure if there is room. If there is none, later offers ask in vain, and nothing worse happens. */
    public void remember(String whom, Refusal why, long nanos) {
        long now = nanoTime.getAsLong();
        if (known.size() >= MOST) {
            for (Iterator<Known> all = known.values().iterator(); all.hasNext();) {
                if (all.next().isOver(now)) {
                    all.remove();
                }
            }
        }
        if (known.size() < MOST || known.containsKey(whom)) {
            known.put(whom, new Known(why, nanos, now + nanos));
        }
    }

    /**
     * Like {@link #remember}, with an exponential back-off: the time doubles each time that the same is found again after the last time was
     * over, up to {@code mostNanos}. It begins anew with another reason, and if nobody was asked for {@code mostNanos} since. Offers that
     * were under way together find the same thing together, so a failure that is still remembered is not counted again.
     */
    public void rememberWithBackoff(String whom, Refusal why, long leastNanos, long mostNanos) {
        Known last = known.get(whom);
        long now = nanoTime.getAsLong();
        if (last == null || last.why.reason() != why.reason() || now - last.until >= mostNanos) {
            remember(whom, why, leastNanos);
        } else if (last.isOver(now)) {
            remember(whom, why, last.nanos < mostNanos / 2 ? 2 * last.nanos : mostNanos);
        }
    }

    /** Called when the host or listener has answered. */
    public void forget(String whom) {
        known.remove(whom);
    }
}
