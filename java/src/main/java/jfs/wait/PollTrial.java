package jfs.wait;

import java.util.concurrent.TimeUnit;

/**
 * Whether the reads of all connections over TCP of one kind are to poll, or to sleep at once: by how many of their waits end in a time.
 * The duration of a wait alone does not tell it. A thread that sleeps leaves its core to the peer, and to other threads of its own
 * program; what these do later, because a poll kept the core, shows between two waits. Beside programs that compute a thread pays for
 * its polls later, too: it has used up its share of the core by then.
 *
 * <p>So both ways are tried in turns, each for several time slices, and by all these connections together: most are too short to try both.
 * Polling takes a core, and a trial of two ways that are equally good ends by chance. So polling has to be clearly better {@value #WINS}
 * times in a row. It is tried again when it gets slower than sleeping was, and anyway after a while, since a program changes. While it
 * does not win, that while gets longer.
 *
 * <p>Any thread.
 */
final class PollTrial {

    /** Each way is tried for so many waits, and for so long. */
    static final int TRIED = 32;
    static final long TRIED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** How often in a row polling has to be better. */
    static final int WINS = 3;
    /** What has won is kept for so many times as long; sleeping for twice as long each time that it wins again, up to the longest. */
    static final int KEPT = 50;
    static final int KEPT_LONGEST = 200;
    /** Polling is given up early if for so many times as long, one after the other, it has been slower than sleeping was. */
    static final int SLOWER = 2;
    /** The time from the end of a wait to the end of the next one counts as no longer than this, nanoseconds: more is no work, but a pause. */
    static final int LONGEST_NANOS = 4_000_000;

    private enum Phase { TRY_SLEEPING, TRY_POLLING, KEEP_SLEEPING, KEEP_POLLING }

    private Phase phase = Phase.TRY_SLEEPING;
    private volatile boolean polls;
    private int waits;
    private long nanos;
    /** When the last wait ended; meaningless while there is none. */
    private long last;
    private boolean begun;
    /** How often polling has won in this trial, and how often in a row it has been slower since. */
    private int wins;
    private int slower;
    /** For how many times as long what has won has been kept; and for how many sleeping is to be kept. */
    private int kept;
    private int keep = KEPT;
    /** Nanoseconds from one wait's end to the next one's while the waits slept, on average, when that was tried last. */
    private double whenSleeping;

    /** @return whether the next wait is to poll before it sleeps */
    boolean polls() {
        return polls;
    }

    /**
     * A wait of one of these connections has ended with news.
     *
     * @param now when, as {@link System#nanoTime} tells
     */
    synchronized void ended(long now) {
        if (begun) {
            nanos += Math.max(0, Math.min(now - last, LONGEST_NANOS));
            waits++;
        }
        begun = true;
        last = now;
        if (waits < TRIED || nanos < TRIED_NANOS) {
            return;
        }
        next((double) nanos / waits);
        waits = 0;
        nanos = 0;
    }

    private void next(double average) {
        switch (phase) {
            case TRY_SLEEPING -> {
                whenSleeping = average;
                begin(Phase.TRY_POLLING);
            }
            case TRY_POLLING -> {
                if (average > whenSleeping - whenSleeping / 16) {
                    begin(Phase.KEEP_SLEEPING);
                } else if (++wins < WINS) {
                    begin(Phase.TRY_SLEEPING);
                } else {
                    keep = KEPT;
                    slower = 0;
                    begin(Phase.KEEP_POLLING);
                }
            }
            case KEEP_SLEEPING -> {
                if (++kept == keep) {
                    keep = Math.min(2 * keep, KEPT_LONGEST);
                    begin(Phase.TRY_SLEEPING);
                }
            }
            case KEEP_POLLING -> {
                slower = average > whenSleeping ? slower + 1 : 0;
                if (++kept == KEPT || slower == SLOWER) {
                    begin(Phase.TRY_SLEEPING);
                }
            }
        }
    }

    private void begin(Phase next) {
        boolean tries = next == Phase.TRY_SLEEPING || next == Phase.TRY_POLLING;
        if (!tries || phase == Phase.KEEP_SLEEPING || phase == Phase.KEEP_POLLING) {
            wins = 0;
            kept = 0;
        }
        phase = next;
        polls = next == Phase.TRY_POLLING || next == Phase.KEEP_POLLING;
    }
}
