package jfs.stat;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import jfs.config.Settings;

/**
 * This process's counters, and its log. Counters only grow; any thread may read them at any time. A
 * connection is given as whatever prints as one: it is asked for its text only when a line is written.
 *
 * <p>Log lines go to stderr, one {@code jfs: event details} each, as {@code jfs.log} says.
 */
public final class Stats {

    /** Connections that got a fast path, at this end. */
    public static final LongAdder ATTACHED = new LongAdder();
    /** Directions switched: this end's sending, this end's receiving. */
    public static final LongAdder SWITCHED_OUT = new LongAdder();
    public static final LongAdder SWITCHED_IN = new LongAdder();
    /** Offers made and answered by this process. */
    public static final LongAdder OFFERS = new LongAdder();
    public static final LongAdder JOINED = new LongAdder();

    private static final Map<Reason, LongAdder> FALLBACKS = new EnumMap<>(Reason.class);

    static {
        for (Reason reason : Reason.values()) {
            FALLBACKS.put(reason, new LongAdder());
        }
    }

    private static volatile Settings.Log log = Settings.Log.OFF;

    private Stats() {
    }

    public static void logLevel(Settings.Log level) {
        log = level;
    }

    /** A connection stays on TCP. */
    public static void fallback(Reason reason, Object connection, String detail) {
        LongAdder count = FALLBACKS.get(reason);
        boolean first = count.sum() == 0 && reason != Reason.UNAVAILABLE; // which was told at once
        count.increment();
        if (log == Settings.Log.ALL || log == Settings.Log.FALLBACK && first) {
            line("fallback " + connection + " " + reason + ": " + (detail != null ? detail : reason.text()));
        }
    }

    /** How many connections stayed on TCP for this reason. */
    public static long fallbacks(Reason reason) {
        return FALLBACKS.get(reason).sum();
    }

    /** All reasons that have occurred. */
    public static Map<Reason, Long> fallbacks() {
        Map<Reason, Long> counts = new EnumMap<>(Reason.class);
        FALLBACKS.forEach((reason, count) -> {
            if (count.sum() > 0) {
                counts.put(reason, count.sum());
            }
        });
        return Collections.unmodifiableMap(counts);
    }

    /** There will be no fast path in this process. */
    public static void unavailable(String reason) {
        if (log != Settings.Log.OFF) {
            line("no fast path in this process: " + reason);
        }
    }

    public static void attached(String transport, Object connection) {
        ATTACHED.increment();
        if (log == Settings.Log.ALL) {
            line("attached " + connection + " over " + transport);
        }
    }

    public static void switchedOut(String transport, Object connection, long count) {
        SWITCHED_OUT.increment();
        event("switched out", count, transport, connection);
    }

    public static void switchedIn(String transport, Object connection, long count) {
        SWITCHED_IN.increment();
        event("switched in", count, transport, connection);
    }

    private static void event(String what, long count, String transport, Object connection) {
        if (log == Settings.Log.ALL) {
            line(what + " after " + count + " bytes " + connection + " over " + transport);
        }
    }

    private static void line(String text) {
        System.err.println("jfs: " + text);
    }
}
