package jfs.mx;

import jfs.nativelib.Posix;
import jfs.spi.NoResourcesException;
import jfs.wait.Doorbell;

/** A doorbell that only threads of this process ring. They may ring it after it was freed: that does nothing. */
public final class EventBell implements Doorbell, Runnable {

    private final int descriptor;
    private boolean freed;

    /** @throws NoResourcesException if there is no descriptor left, or more than half of the limit is in use (LIMIT-1) */
    public EventBell() throws NoResourcesException {
        int made = Posix.eventCreate();
        if (made < 0) {
            throw new NoResourcesException("eventfd: " + Posix.errorText(-made));
        }
        int most = Posix.descriptorLimit() / 2;
        if (made > most) { // the kernel gives out the lowest free number, so at least as many are open
            Posix.close(made);
            throw new NoResourcesException("more than " + most + " descriptors are in use, half of RLIMIT_NOFILE");
        }
        descriptor = made;
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    @Override
    public void acknowledge() {
        Posix.eventClear(descriptor);
    }

    @Override
    public synchronized void ringOurselves() {
        if (!freed) {
            Posix.eventSignal(descriptor);
        }
    }

    /** Frees the bell. To be called once no thread waits for it any more. Idempotent. */
    @Override
    public synchronized void run() {
        if (!freed) {
            freed = true;
            Posix.close(descriptor);
        }
    }
}
