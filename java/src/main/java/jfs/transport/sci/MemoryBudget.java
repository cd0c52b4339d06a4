package jfs.transport.sci;

import java.util.concurrent.atomic.AtomicLong;
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
 * <p>Thread-safe; nothing here blocks.
 */
final class MemoryBudget {

    /** The least that a connection is counted with, bytes: a lap of the ring, and a write that follows it. */
    static final long LEAST = 2L * RingSender.LAP;

    private final long most;
    private final AtomicLong held = new AtomicLong();

    /** @param most bytes */
    MemoryBudget(long most) {
        this.most = most;
    }

    /**
     * Takes a share for one more connection.
     *
     * @throws NoResourcesException if the budget has no room for it
     */
    Share share() throws NoResourcesException {
        if (held.addAndGet(LEAST) > most) {
            held.addAndGet(-LEAST);
            throw new NoResourcesException("the connections of this process hold all the shared memory that is allowed, "
                    + most + " bytes (jfs.memory.max)");
        }
        return new Share();
    }

    /** Whether connections hold more than they may. Then those that can do with less have to. */
    boolean isShort() {
        return held.get() > most;
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
