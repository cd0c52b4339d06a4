package jfs.transport.sci;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import jfs.procfs.MemoryGroup;
import jfs.procfs.MemoryLimit;
import jfs.ring.RingSender;
import jfs.spi.NoResourcesException;

/**
 * How much shared memory the connections of this process may keep resident, in all ({@code jfs.memory.max}). Each connection has
 * a share, which counts what this process has written to and not given back. The peer process counts its own direction.
 *
 * <p>A connection is not made if the budget has no room for its {@link #LEAST}. Connections that are there go on. While the
 * budget {@linkplain #isShort is exceeded} every sender keeps to its LEAST, except for bytes that the peer has not read, which
 * have to be somewhere (SWITCH-3). So what is resident is bounded by the budget and by what is unread.
 *
 * <p>The kernel ends a process of a control group that has no memory left. So the budget is smaller while a group of this process is
 * nearly full: {@link #RESERVE} of its room stays for the program. A connection is not made if it could take more than the rest.
 * The groups are {@linkplain #look looked at} now and then. In between, what connections take is counted.
 *
 * <p>Thread-safe. A look reads files of the kernel. Nothing here waits for anything else.
 */
class MemoryBudget {

    /** The least that a connection is counted with, bytes: a lap of the ring, and a write that follows it. */
    static final long LEAST = 2L * RingSender.LAP;

    /** The room of a control group that no connection takes, bytes. */
    static final long RESERVE = 8L << 20;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** As long as no group has a limit, it is enough to look now and then whether one was set. A look takes 0.3 ms. */
    private static final long NO_LIMIT_LOOK_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final long most;
    private final AtomicLong held = new AtomicLong();

    /** The result of the last look. Null if no control group has a limit. */
    private volatile Fullest fullest;
    /** The time of the last look, by {@link #now}. */
    private volatile long looked = now() - NO_LIMIT_LOOK_NANOS;

    /** @param most bytes */
    MemoryBudget(long most) {
        this.most = most;
    }

    /**
     * Takes a share for one more connection.
     *
     * @param inbox how much the connection can come to hold in this process's direction, bytes
     * @throws NoResourcesException if the budget has no room for it, or a control group of this process
     */
    Share share(long inbox) throws NoResourcesException {
        look();
        Fullest now = fullest;
        if (now != null && now.most - held.get() < inbox) {
            throw new NoResourcesException(now.inWords(inbox, held.get()));
        }
        if (held.addAndGet(LEAST) > most) {
            held.addAndGet(-LEAST);
            throw new NoResourcesException("the connections of this process hold all the shared memory that is allowed, "
                    + most + " bytes (jfs.memory.max)");
        }
        return new Share();
    }

    /**
     * Whether connections hold more than they may. Then those that can do with less have to. Uses what the last {@link #look} has found,
     * and reads no file, because each sender asks this while it writes.
     */
    boolean isShort() {
        Fullest now = fullest;
        return held.get() > (now == null ? most : Math.min(most, now.most));
    }

    /**
     * Looks how much room the control groups of this process have, unless that was less than a second ago, or less than half a minute if
     * none had a limit. What the connections hold by now is a part of what the groups have in use.
     */
    void look() {
        if (isDue()) {
            lookNow();
        }
    }

    private boolean isDue() {
        return now() - looked >= (fullest == null ? NO_LIMIT_LOOK_NANOS : LOOK_NANOS);
    }

    private synchronized void lookNow() {
        if (!isDue()) {
            return; // another thread was faster
        }
        looked = now();
        List<MemoryGroup> groups = groups();
        if (groups == MemoryLimit.UNKNOWN) {
            return; // what the last look has found still counts
        }
        long holds = held.get();
        long least = Long.MAX_VALUE;
        MemoryGroup of = null;
        for (MemoryGroup group : groups) {
            long room = group.room();
            if (room < least) {
                least = room;
                of = group;
            }
        }
        fullest = of == null ? null : new Fullest(of, holds + least - RESERVE);
    }

    /** The time, as {@link System#nanoTime} tells it. */
    long now() {
        return System.nanoTime();
    }

    /** The control groups of this process that have a limit; {@link MemoryLimit#UNKNOWN} if they can't be listed now. */
    List<MemoryGroup> groups() {
        return MemoryLimit.groups();
    }

    /**
     * The control group that has the least room.
     *
     * @param most how much the connections may hold because of it, bytes
     */
    private record Fullest(MemoryGroup group, long most) {

        String inWords(long inbox, long held) {
            return "the control group has " + megabytes(Math.max(0, most - held + RESERVE)) + " MB left of its memory limit of "
                    + megabytes(group.limit()) + " MB, and a fast path needs " + megabytes(inbox + RESERVE + (1 << 20) - 1) + " MB ("
                    + group.folder() + ")";
        }

        private static long megabytes(long bytes) {
            return bytes >> 20;
        }
    }

    /** The share of one connection. */
    final class Share {
        private long bytes = LEAST;
        private boolean ended;

        private Share() {
        }

        /** The connection now keeps that many bytes resident, of what this process has written. Does nothing after {@link #end}. */
        synchronized void hold(long resident) {
            if (!ended) {
                long now = Math.max(LEAST, resident);
                held.addAndGet(now - bytes);
                bytes = now;
            }
        }

        /** The connection's memory is gone. Idempotent. */
        synchronized void end() {
            if (!ended) {
                ended = true;
                held.addAndGet(-bytes);
            }
        }
    }
}
