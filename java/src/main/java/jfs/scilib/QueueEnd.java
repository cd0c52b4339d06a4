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
 * One end of a queue as SISCI sees it: the segments and bells of both ends, and whether the other end is still there. Only
 * the thread that has the turn ({@link TurnLock}) uses it, except for {@link #wake}.
 */
final class QueueEnd {

    private final int node;
    private final Polling polling;
    private boolean unreachable;

    /** Null once the bell is freed. Changed under this object's monitor. */
    private SciBell bell;
    private SciSegment own;
    private SciSegment other;
    private PeerBell theirBell;
    private Inbox mine;
    private Inbox theirs;

    /**
     * @param node the node of the other end
     * @param pollMicros longest poll, microseconds
     */
    QueueEnd(int node, int pollMicros) throws IOException {
        this.node = node;
        this.polling = Polling.ofMemory(pollMicros);
        this.bell = new SciBell();
    }

    /**
     * Makes the segment of this end. Other processes can connect to it afterwards.
     *
     * @param window bytes of its ring
     * @return false if the id is taken
     */
    boolean export(int id, int window, long nonce) throws IOException {
        own = SciSegment.create(id, InboxLayout.inboxBytes(window, 0), null);
        if (own != null) {
            layOut(window, nonce);
        }
        return own != null;
    }

    /** As {@link #export}, without a ring and under an id that is free. @return that id */
    int exportUnderFreeId(long nonce) throws IOException {
        own = SciSegment.createAny(InboxLayout.SENDER_ID, InboxLayout.QUEUE_ID_MAX, InboxLayout.inboxBytes(0, 0), null);
        layOut(0, nonce);
        return own.id();
    }

    private void layOut(int window, long nonce) throws IOException {
        mine = new Inbox(own.window(0, InboxLayout.inboxBytes(window, 0)));
        mine.setDoorbell(bell.number());
        mine.initialise(InboxLayout.QUEUE_VERSION, window, 0, nonce);
        own.makeAvailable();
    }

    /**
     * Connects to the other end's segment and to its bell. Waits for the answers until the deadline at most.
     *
     * @param window bytes of its ring
     * @throws IOException if the segment does not exist, or is not what it should be; then nothing is held
     */
    void connect(int id, int window, long deadline) throws IOException {
        int size = InboxLayout.inboxBytes(window, 0);
        try {
            other = SciSegment.connect(node, id, size, deadline, bell);
            theirs = new Inbox(other.window(0, size));
            if (!theirs.matches(InboxLayout.QUEUE_VERSION, window, 0, theirs.nonce())) {
                throw new IOException("the segment is not a queue's, or one of another version or size");
            }
            theirBell = new PeerBell(node, theirs.doorbell(), deadline);
        } catch (Throwable e) { // an OutOfMemoryError too
            letGo();
            throw e;
        }
    }

    /** Repeats {@link #connect} until the segment is there or the time is over. */
    void connectWhenThere(int id, int window, int millis) throws IOException {
        long deadline = Deadline.in(Math.max(1, millis));
        for (;;) {
            try {
                connect(id, window, deadline);
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

    /** Whether the other end has disconnected or cannot be reached, or its process is gone. */
    boolean isGone() {
        return unreachable || other != null && other.isPeerGone();
    }

    /** Called when the other end's segment could not be reached any more. */
    void setGone() {
        unreachable = true;
    }

    /** Wakes the waiting thread of this end, if there is one. Called by any thread, at any time. */
    synchronized void wake() {
        if (bell != null) {
            bell.ringOurselves();
        }
    }

    /** Wakes the waiting thread of the other end, if there is one. */
    void ring() {
        theirBell.ring();
    }

    /** Called after each publication. If a store was lost, the value may not have been published. */
    void checkStores() throws IOException {
        if (other != null && other.hasLostStores()) {
            throw new IOException("the SCI fabric lost data on its way to the other end");
        }
    }

    /**
     * Waits for news: polls if that is likely to pay, then sleeps.
     *
     * @param deadline see {@link Deadline}
     * @return true if there may be news; false if the deadline has passed
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
            // Bounded on any library: a sender that died between its claim and its ring wakes no thread here.
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

    /** Frees what belongs to the other end. The next one may be another process. */
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

    /** Frees everything, once. The connection to the other end comes first, because that end can't remove its segment before. */
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
