package jfs.scilib;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.Posix;
import jfs.nativelib.Sisci;
import jfs.ring.Inbox;
import jfs.ring.InboxLayout;
import jfs.sisci.PeerBell;
import jfs.sisci.SciBell;
import jfs.sisci.SciException;
import jfs.sisci.SciSegment;
import jfs.wait.Deadline;
import jfs.wait.Polling;
import jfs.wait.Sleepers;

/**
 * One end of a queue as SISCI sees it: our segment, the other end's, our bell, the other's bell, and whether the other
 * end is still there. Used under the queue's lock, but for {@link #wake}.
 */
final class QueueEnd {

    private final int node;
    private final Polling polling;
    private boolean unreachable;

    /** Null when it is freed; changed under our monitor. */
    private SciBell bell;
    private SciSegment own;
    private SciSegment other;
    private PeerBell theirBell;
    private Inbox mine;
    private Inbox theirs;

    /**
     * @param node the other end's
     * @param pollMicros longest poll, microseconds
     */
    QueueEnd(int node, int pollMicros) throws IOException {
        this.node = node;
        this.polling = Polling.ofMemory(pollMicros);
        this.bell = new SciBell();
    }

    /**
     * Makes our segment, which others can connect to then.
     *
     * @param window bytes of its ring
     * @return false if the id is taken
     */
    boolean offer(int id, int window, long nonce) throws IOException {
        own = SciSegment.create(id, InboxLayout.inboxBytes(window, 0), null);
        if (own != null) {
            layOut(window, nonce);
        }
        return own != null;
    }

    /** As {@link #offer}, without a ring. @return the id, one that was free */
    int offerAny(long nonce) throws IOException {
        own = SciSegment.createAny(InboxLayout.SENDER_ID, InboxLayout.QUEUE_ID_MAX, InboxLayout.inboxBytes(0, 0), null);
        layOut(0, nonce);
        return own.id();
    }

    private void layOut(int window, long nonce) throws IOException {
        mine = new Inbox(own.window(0, InboxLayout.inboxBytes(window, 0)));
        mine.setDoorbell(bell.number());
        mine.initialise(InboxLayout.QUEUE_VERSION, window, 0, nonce);
        own.openDoor();
    }

    /**
     * Connects to the other end's segment, waiting for at most {@code millis} for an answer.
     *
     * @param window bytes of its ring
     * @throws IOException if it isn't there, or is not what it should be: nothing is held then
     */
    void connect(int id, int window, int millis) throws IOException {
        int size = InboxLayout.inboxBytes(window, 0);
        try {
            other = SciSegment.connect(node, id, size, millis, bell);
            theirs = new Inbox(other.window(0, size));
            if (!theirs.matches(InboxLayout.QUEUE_VERSION, window, 0, theirs.nonce())) {
                throw new IOException("the segment is not a queue's, or one of another version or size");
            }
            theirBell = new PeerBell(node, theirs.doorbell());
        } catch (Throwable e) { // an OutOfMemoryError too
            letGo();
            throw e;
        }
    }

    /** As {@link #connect}, again and again until the segment is there or the time is up. */
    void connectWhenThere(int id, int window, int millis) throws IOException {
        long deadline = Deadline.in(Math.max(1, millis));
        for (;;) {
            try {
                connect(id, window, Math.max(1, Deadline.millisUntil(deadline)));
                return;
            } catch (SciException e) {
                boolean later = e.error() == Sisci.NO_SUCH_SEGMENT || e.error() == Sisci.TIMEOUT;
                if (!later || Deadline.hasPassed(deadline)) {
                    throw e;
                }
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted while waiting for the queue to be created");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    Inbox mine() {
        return mine;
    }

    /** null before {@link #connect}. */
    Inbox theirs() {
        return theirs;
    }

    Polling polling() {
        return polling;
    }

    /** Whether the other end has disconnected or its process is gone. */
    boolean isGone() {
        return unreachable || other != null && other.isPeerGone();
    }

    /** Its segment could not be reached any more. */
    void setGone() {
        unreachable = true;
    }

    /** Wakes our own thread, if it waits. From any thread, at any time. */
    synchronized void wake() {
        if (bell != null) {
            bell.ringOurselves();
        }
    }

    /** Wakes the other end's thread, if it waits. */
    void ring() {
        theirBell.ring();
    }

    /** After every publication: what was to be published may not have been. */
    void checkStores() throws IOException {
        if (other != null && other.hasLostStores()) {
            throw new IOException("stores into the other end's memory were lost");
        }
    }

    /**
     * Waits: polls if that is likely to pay, then sleeps.
     *
     * @param deadline see {@link Deadline}
     * @return whether there may be news, else the deadline has passed
     */
    boolean await(Sleepers.Sleeper sleeper, long deadline) throws IOException {
        if (polling.poll(sleeper)) {
            return true;
        }
        if (Deadline.hasPassed(deadline)) {
            return false;
        }
        long start = System.nanoTime();
        sleeper.announce();
        try {
            // Bounded on any library: a sender that died between its claim and its ring tells nobody.
            if (!sleeper.arrived() && Posix.poll(bell.descriptor(), Posix.POLLIN, -1, 0,
                    Deadline.millisUntil(SciBell.bounded(deadline))) > 0) {
                bell.acknowledge();
            }
        } finally {
            sleeper.retract();
        }
        polling.slept(System.nanoTime() - start);
        return true;
    }

    /** Frees what belongs to the other end, which may be another one the next time. */
    void letGo() {
        theirs = null;
        if (other != null) {
            other.run();
        }
        if (theirBell != null) {
            theirBell.run();
        }
        other = null;
        theirBell = null;
        unreachable = false;
    }

    /** Frees everything, once: the other end's first, who can't remove what we are connected to. */
    void free() {
        letGo();
        mine = null;
        if (own != null) {
            own.run();
        }
        own = null;
        SciBell last = bell;
        synchronized (this) {
            bell = null;
        }
        last.run();
    }
}
