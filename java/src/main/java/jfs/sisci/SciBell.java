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
 * An interrupt of this process, and its descriptor. The descriptor is the library's. If the library has none, it is that of
 * an event of JFS, which a callback of the library signals (CARD-1). One thread makes and frees the bell; in between any
 * thread uses it.
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
            // The kernel gives out the lowest free number, so at least as many descriptors are open. The program needs
            // the other half of the limit for its own sockets (LIMIT-1).
            int most = Posix.descriptorLimit() / 2;
            if (descriptor > most) {
                throw new NoResourcesException("more than " + most + " descriptors are in use, half of RLIMIT_NOFILE");
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

    /** The interrupt's number, by which a {@link PeerBell} connects to it. */
    public int number() {
        return number;
    }

    /**
     * The end of a sleep that lasts for a second at most. A signal across a fabric may get lost, so the sleeper has to look again
     * now and then (CARD-1).
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

    /** The handle for the native methods. */
    long interrupt() {
        return interrupt;
    }

    /** Frees all that was made. Makes no object, so that it works when there is no memory left. */
    @Override
    public void run() {
        Retries.retry(this);
    }

    /** Frees the bell, or returns {@link Sisci#BUSY} and is called again. Called by one thread at a time. */
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
