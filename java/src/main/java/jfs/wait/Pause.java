package jfs.wait;

import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;
import jfs.threads.VirtualThreads;

/** A pause between two looks at something that wakes no thread. */
public final class Pause {

    private Pause() {
    }

    /**
     * Parks for that long at most. An interrupt does not end the pause, and its status is kept. Otherwise an interrupted thread would not
     * park at all, and would look again and again without a pause.
     */
    public static void park(long nanos) {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            LockSupport.parkNanos(1); // uses up the permit that an interrupt leaves, also the interrupt() below
        }
        LockSupport.parkNanos(nanos);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * As {@link #park}, for a thread of the program inside a call of a socket.
     *
     * @throws InterruptedIOException if the thread is virtual and interrupted, as with {@link Sleepers}
     */
    public static void parkInCall(long nanos) throws InterruptedIOException {
        if (VirtualThreads.isCurrent() && Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException();
        }
        park(nanos);
    }
}
