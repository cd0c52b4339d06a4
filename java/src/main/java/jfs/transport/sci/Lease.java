package jfs.transport.sci;

import java.lang.ref.Cleaner;
import jfs.spi.Claim;
import jfs.threads.Cleaning;

/**
 * What one end of a path holds of the system (mapping, segment, interrupts), and when that may be freed.
 *
 * <p>LEASE-1. Nothing is freed before the receiving half and the sending half have both been retired, nor while a user is
 * inside. A half is retired by the thread that holds its lock, or when no other thread can get that lock any more. Afterwards no
 * method of the path touches the memory. So memory is never unmapped under a reader or writer.
 * <br>LEASE-2. The lease is freed exactly once, whichever thread comes last, the garbage collector included. The lease of an
 * abandoned socket is freed when nothing refers to its path any more.
 * <br>LEASE-3. The collector doesn't take a path for garbage while a thread is inside. An object may be garbage before its last
 * method has returned, if what is left of that method needs its fields only. So a user keeps the path reachable until it
 * leaves ({@link SciPath}). A thread that holds a half looks at the socket afterwards, which refers to the path.
 */
final class Lease {

    private static final int RECEIVER = 1;
    private static final int SENDER = 2;

    private final Cleaner.Cleanable cleanable;
    /** The halves that are not retired, and how many threads are inside that hold neither half. */
    private int halves = RECEIVER | SENDER;
    private int users;
    /** What the path has shown last to the thread that holds the half. Under the lock of the half. */
    private Claim shownByReceiver;
    private Claim shownBySender;

    /**
     * @param holder when it becomes unreachable the lease ends
     * @param free frees everything; must not refer to the holder
     */
    Lease(Object holder, Runnable free) {
        this.cleanable = Cleaning.cleaner().register(holder, free);
    }

    void retireReceiver() {
        end(shownByReceiver);
        retire(RECEIVER);
    }

    void retireSender() {
        end(shownBySender);
        retire(SENDER);
    }

    /** The thread that holds the receiving half is shown memory by that claim. The next claim clears it, and the end of the half. */
    void receiverShows(Claim claim) {
        if (shownByReceiver != claim) {
            end(shownByReceiver);
            shownByReceiver = claim;
        }
    }

    /** As {@link #receiverShows}, of the sending half. */
    void senderShows(Claim claim) {
        if (shownBySender != claim) {
            end(shownBySender);
            shownBySender = claim;
        }
    }

    /** The thread that still has the claim is the one that retires the half, or claims again, so it sees this (CLAIM-1). */
    private static void end(Claim claim) {
        if (claim != null) {
            claim.clear();
        }
    }

    /**
     * Enters for a short use from a thread that holds neither half.
     *
     * @return false if everything is freed or about to be
     */
    synchronized boolean enter() {
        if (halves == 0) {
            return false;
        }
        users++;
        return true;
    }

    void leave() {
        if (isLastToLeave()) {
            cleanable.clean();
        }
    }

    private synchronized boolean isLastToLeave() {
        return --users == 0 && halves == 0;
    }

    private void retire(int half) {
        boolean last;
        synchronized (this) {
            last = (halves & half) != 0 && (halves &= ~half) == 0 && users == 0;
        }
        if (last) {
            cleanable.clean();
        }
    }
}
