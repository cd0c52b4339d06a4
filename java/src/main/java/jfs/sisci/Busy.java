package jfs.sisci;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntSupplier;
import jfs.nativelib.Sisci;
import jfs.wait.ServiceThreads;

/**
 * Calls that a library refuses while something is in use, as a card's does with removing a segment that the peer has not
 * left yet. They are made again until they aren't refused, by a thread that is there only meanwhile.
 */
public final class Busy {

    private static final long FIRST_MILLIS = 10;
    private static final long LAST_MILLIS = 1_000;
    /** Guarded by itself, as the thread. */
    private static final Queue<IntSupplier> CALLS = new ArrayDeque<>();
    private static Thread worker;

    private Busy() {
    }

    /** @param call gives {@link Sisci#BUSY} as long as it is to be made again */
    static void retry(IntSupplier call) {
        if (call.getAsInt() == Sisci.BUSY) {
            later(call);
        }
    }

    /** As {@link #retry}, but never in this thread. */
    static void later(IntSupplier call) {
        synchronized (CALLS) {
            CALLS.add(call);
            if (worker == null || !worker.isAlive()) { // it ends by an error too
                worker = start();
            }
        }
    }

    /** @return null if there is no thread to be had now: they wait for the next one who needs it */
    private static Thread start() {
        try {
            Thread thread = ServiceThreads.create("jfs-sisci-removal", Busy::work);
            thread.start();
            return thread;
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    private static void work() {
        long millis = FIRST_MILLIS;
        for (;;) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) { // nobody has its name
                continue;
            }
            millis = callAll() ? FIRST_MILLIS : Math.min(2 * millis, LAST_MILLIS);
            synchronized (CALLS) {
                if (CALLS.isEmpty()) {
                    worker = null;
                    return;
                }
            }
        }
    }

    /**
     * Calls without the lock: the library may take its time, and others have calls to leave here meanwhile.
     *
     * @return whether one of them is done
     */
    private static boolean callAll() {
        boolean progress = false;
        for (int left = size(); left > 0; left--) {
            IntSupplier call;
            synchronized (CALLS) {
                call = CALLS.remove();
            }
            if (call.getAsInt() != Sisci.BUSY) {
                progress = true;
                continue;
            }
            synchronized (CALLS) {
                CALLS.add(call);
            }
        }
        return progress;
    }

    private static int size() {
        synchronized (CALLS) {
            return CALLS.size();
        }
    }
}
