package jfs.sisci;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntSupplier;
import jfs.nativelib.Sisci;
import jfs.threads.ServiceThreads;

/**
 * Repeats calls that a library refuses while something is in use. A card's library, for example, refuses to remove a segment
 * that the peer has not left yet. A thread makes these calls again until they are not refused. It exists only for that time.
 */
public final class Retries {

    private static final long FIRST_MILLIS = 10;
    private static final long LAST_MILLIS = 1_000;
    /** Guarded by itself, as {@code worker} is. */
    private static final Queue<IntSupplier> CALLS = new ArrayDeque<>();
    private static Thread worker;

    private Retries() {
    }

    /**
     * Makes the call now, and again later while the library refuses it.
     *
     * @param call returns {@link Sisci#BUSY} as long as it is to be made again
     */
    static void retry(IntSupplier call) {
        if (call.getAsInt() == Sisci.BUSY) {
            later(call);
        }
    }

    /** As {@link #retry}, but the calling thread never makes the call. */
    static void later(IntSupplier call) {
        synchronized (CALLS) {
            CALLS.add(call);
            if (worker == null || !worker.isAlive()) { // an error may have ended the thread
                worker = start();
            }
        }
    }

    /** @return null if no thread can be started now: the calls then wait until the next call is added */
    private static Thread start() {
        try {
            Thread thread = ServiceThreads.create("jfs-sisci-removal", Retries::work);
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
            } catch (InterruptedException e) { // no code of JFS interrupts this thread
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
     * Makes each waiting call once. The thread does not hold the lock during a call, because the library may take long and
     * other threads may add calls meanwhile.
     *
     * @return whether at least one of them was not refused
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
