package jfs.wait;

import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;

/** Between two looks at something that rings no bell. */
public final class Pause {

    private Pause() {
    }

    /**
     * Parks for that long at most. An interrupt stays, but doesn't shorten it: an interrupted thread parks for no time at all, and
     * would look and look.
     */
    public static void park(long nanos) {
        boolean interrupted = Thread.interrupted();
        if (interrupted) {
            LockSupport.parkNanos(1); // the permit that the interrupt has left, ours below too, is used up here
        }
        LockSupport.parkNanos(nanos);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The same in the call of a program's.
     *
     * @throws InterruptedIOException in a virtual thread that is interrupted, as {@link Sleepers} do
     */
    public static void parkInCall(long nanos) throws InterruptedIOException {
        if (VirtualThreads.isCurrent() && Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException();
        }
        park(nanos);
    }
}
