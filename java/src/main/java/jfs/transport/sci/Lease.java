package jfs.transport.sci;

import java.lang.ref.Cleaner;
import jfs.wait.Cleaning;

/**
 * What one end of a path holds of the system (mapping, segment, interrupts), and when that may go.
 *
 * <p>LEASE-1. Nothing is freed before the receiving half and the sending half have both been retired, each by the
 * thread that holds that half's lock or by nobody else being able to get it, nor while a visitor is inside;
 * afterwards no method of the path touches the memory. So memory is never unmapped under a reader or writer.
 * <br>LEASE-2. It is freed exactly once, whoever comes last, the garbage collector included: an abandoned socket's lease is
 * freed when nothing refers to its path any more.
 * <br>LEASE-3. The collector doesn't take a path for garbage while a thread is inside. An object may be garbage before its last
 * method has returned, if what is left of that method needs its fields only; so a visitor keeps the path reachable until it
 * leaves ({@link SciPath}), and who holds a half looks at the socket afterwards, which refers to it.
 */
final class Lease {

    private static final int RECEIVER = 1;
    private static final int SENDER = 2;

    private final Cleaner.Cleanable cleanable;
    /** The halves that are not retired, and how many threads are inside without holding one. */
    private int halves = RECEIVER | SENDER;
    private int visitors;

    /**
     * @param holder whose unreachability ends the lease
     * @param free frees everything; must not refer to the holder
     */
    Lease(Object holder, Runnable free) {
        this.cleanable = Cleaning.cleaner().register(holder, free);
    }

    void retireReceiver() {
        retire(RECEIVER);
    }

    void retireSender() {
        retire(SENDER);
    }

    /**
     * Enters for a short use from a thread that holds neither half.
     *
     * @return false if everything is gone or about to go
     */
    synchronized boolean enter() {
        if (halves == 0) {
            return false;
        }
        visitors++;
        return true;
    }

    void leave() {
        if (isLastToLeave()) {
            cleanable.clean();
        }
    }

    private synchronized boolean isLastToLeave() {
        return --visitors == 0 && halves == 0;
    }

    private void retire(int half) {
        boolean last;
        synchronized (this) {
            last = (halves & half) != 0 && (halves &= ~half) == 0 && visitors == 0;
        }
        if (last) {
            cleanable.clean();
        }
    }
}
