package jfs.scilib;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets one thread at a time use an end of a queue. As a rule there is only one, to whom a monitor would cost two atomic
 * exchanges for each message; this costs one.
 *
 * <p>TURN-1. Only who has changed {@code state} from {@link #FREE}, atomically, has the turn, and only that thread makes it FREE
 * again, by a releasing store: so what it did is seen by who has the next turn.
 * <br>TURN-2. Who waits marks the turn as {@link #WANTED} first, and whoever ends a turn that is marked wakes one. The mark is
 * made, and the waiting begun, under the monitor under which is woken, so none is missed; but a mark that comes between the
 * look at it and the store that ends the turn is overwritten. Hence no wait is for ever: such a one lasts until the waiter
 * looks again, and finds the turn free or marks it anew.
 */
final class Turns {

    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int WANTED = 2;
    /** Until a waiter looks again: at first, since a mark is overwritten within nanoseconds or hardly ever; and at most. */
    private static final long FIRST_MILLIS = 1;
    private static final long LAST_MILLIS = 64;

    private final AtomicInteger state = new AtomicInteger(FREE);

    /** Waits for its turn. A thread's interrupt does nothing. Not for a thread that has it already. */
    void begin() {
        if (!state.compareAndSet(FREE, TAKEN)) {
            await();
        }
    }

    void end() {
        if (state.getOpaque() == TAKEN) {
            state.setRelease(FREE);
        } else {
            endWanted();
        }
    }

    /** There may be others who wait, whose mark is lost with the turn's end: so this turn is marked, too. */
    private synchronized void await() {
        boolean interrupted = false;
        for (long millis = FIRST_MILLIS; !state.compareAndSet(FREE, WANTED); millis = Math.min(2 * millis, LAST_MILLIS)) {
            if (state.compareAndSet(TAKEN, WANTED) || state.getAcquire() == WANTED) {
                try {
                    wait(millis);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void endWanted() {
        state.setRelease(FREE);
        notify();
    }
}
