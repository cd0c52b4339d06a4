package jfs.scilib;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets one thread at a time use an end of a queue. As a rule there is only one thread. A monitor would cost it two atomic
 * exchanges for each message; this class costs one.
 *
 * <p>TURN-1. Only the thread that has atomically changed {@code state} from {@link #FREE} has the turn. Only that thread makes it
 * FREE again, by a releasing store. So the thread that has the next turn sees what this thread did.
 * <br>TURN-2. A thread that waits first marks the turn as {@link #WANTED}. The thread that ends a marked turn wakes one that waits.
 * A waiter makes its mark, and begins to wait, under the monitor under which it is woken, so no wake-up is missed. But a mark is
 * overwritten if it comes between the look at the state and the store that ends the turn. Hence no wait is for ever: such a wait
 * lasts until the waiter looks again, and finds the turn free or marks it anew.
 */
final class TurnLock {

    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int WANTED = 2;
    /** How long a waiter waits until it looks again: at first, because a mark is overwritten within nanoseconds or hardly ever; at most. */
    private static final long FIRST_MILLIS = 1;
    private static final long LAST_MILLIS = 64;

    private final AtomicInteger state = new AtomicInteger(FREE);

    /** Waits until the calling thread has the turn. An interrupt does not end the wait. A thread that has the turn must not call this. */
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

    /** A thread that gets the turn here marks it as WANTED: others may wait too, and their mark was lost when the last turn ended. */
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
