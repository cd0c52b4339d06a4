package jfs.sisci;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import jfs.nativelib.Posix;
import jfs.nativelib.Sisci;
import jfs.spi.NoResourcesException;
import jfs.wait.Deadline;
import jfs.wait.Doorbell;

/**
 * Our interrupt, and its descriptor: the library's, or where it has none an event of ours that a callback of the library's
 * signals (CARD-1). Made and freed by one thread; in between used by any.
 */
public final class SciBell implements Doorbell, Runnable, IntSupplier {

    private static final long LONGEST_SLEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Whether the descriptor is the interrupt's own. */
    private final boolean own = Sisci.sharesMemory();
    private long interrupt;
    private int number;
    private int descriptor = -1;

    public SciBell() throws IOException {
        try {
            if (!own) {
                descriptor = Posix.eventCreate();
                if (descriptor < 0) {
                    throw new NoResourcesException("eventfd: " + Posix.errorText(-descriptor));
                }
            }
            long[] out = new long[3];
            SciException.check("SCICreateInterrupt", Sisci.createInterrupt(descriptor, out));
            interrupt = out[0];
            number = (int) out[1];
            descriptor = (int) out[2];
            // The lowest free number is given out, so this one tells how many are open at least. The program needs the
            // rest, for sockets of its own (LIMIT-1).
            int most = Posix.descriptorLimit() / 2;
            if (descriptor > most) {
                throw new NoResourcesException("more than " + most + " descriptors, half of the limit, are in use");
            }
            if (own) {
                SciException.check("SCIConnectInterrupt", Sisci.connectSelf(interrupt, localNode()));
            }
        } catch (Throwable e) { // an OutOfMemoryError too
            run();
            throw e;
        }
    }

    /** This process's node. */
    public static int localNode() throws IOException {
        long[] out = new long[1];
        SciException.check("SCIGetLocalNodeId", Sisci.localNode(out));
        return (int) out[0];
    }

    /** What a {@link PeerBell} finds it by. */
    public int number() {
        return number;
    }

    /**
     * Until when one may sleep who is to look again now and then, because a bell rung across a fabric may get lost (CARD-1).
     *
     * @param deadline see {@link Deadline}; the result is not later
     */
    public static long bounded(long deadline) {
        return Deadline.earlier(deadline, System.nanoTime() + LONGEST_SLEEP_NANOS);
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    @Override
    public void acknowledge() {
        if (own) {
            Sisci.acknowledge(interrupt);
        } else {
            Posix.eventClear(descriptor);
        }
    }

    @Override
    public void ringOurselves() {
        Sisci.signal(interrupt);
    }

    /** For the native methods. */
    long interrupt() {
        return interrupt;
    }

    /** Frees whatever there is. Makes no object, so that it does when there is no memory left. */
    @Override
    public void run() {
        Busy.retry(this);
    }

    /** By one thread at a time. */
    @Override
    public int getAsInt() {
        if (interrupt != 0) {
            if (Sisci.removeInterrupt(interrupt) == Sisci.BUSY) {
                return Sisci.BUSY;
            }
            interrupt = 0;
        }
        if (!own && descriptor >= 0) {
            Posix.close(descriptor);
        }
        descriptor = -1;
        return Sisci.OK;
    }
}
