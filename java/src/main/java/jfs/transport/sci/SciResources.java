package jfs.transport.sci;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import jfs.memory.Shared;
import jfs.nativelib.Sisci;
import jfs.ring.AsleepWord;
import jfs.ring.BellWord;
import jfs.ring.Inbox;
import jfs.sisci.PeerBell;
import jfs.sisci.SciBell;
import jfs.steps.Step;
import jfs.wait.BellSleepers;
import jfs.wait.Deadline;
import jfs.wait.Sleepers;
import jfs.wait.WordSleepers;

/**
 * What one end of a connection holds of SISCI: its inboxes, and the bells by which its threads and the peer's are woken. Made on
 * the negotiation's thread, freed once by the {@link Lease}. In between only the bells are used, by any thread.
 *
 * <p>Where all nodes {@linkplain Sisci#sharesMemory share memory} the inboxes are a {@link Place} in a region; behind a card they
 * are {@link TwoSegments}.
 */
final class SciResources implements Runnable {

    /** A signal that fails for want of memory is tried once more, also for threads that have not rung meanwhile (BELL-3). */
    private static final int RING_TRIES = 2;

    private final MemoryBudget.Share share;
    private Inboxes inboxes;
    /** Null where the region has one bell for all its ends. */
    private SciBell bell;
    private PeerBell peersBell;
    /** Null behind a card. */
    private BellWord peersBellWord;
    /** Null behind a card, and until the peer can be reached. */
    private Inbox mine;
    private Inbox theirs;

    private SciResources(int inboxBytes, MemoryBudget.Share share) {
        this.share = share;
        if (hasAllPages()) {
            share.hold(isApart() ? inboxBytes : 2L * inboxBytes);
        }
    }

    /**
     * Makes the connecting end's resources, with inboxes of this size. No other process can reach them yet.
     *
     * @param name under which the peer will be asked
     * @param share of the memory; it ends with these resources, or with the failure to make them
     */
    static SciResources create(Regions regions, String name, int inboxBytes, long nonce, MemoryBudget.Share share)
            throws IOException {
        SciResources r = new SciResources(inboxBytes, share);
        try {
            r.makeBell();
            r.inhabit(isApart() ? TwoSegments.create(inboxBytes, r.bell) : regions.offer(name, inboxBytes, nonce));
            return r;
        } catch (Throwable e) { // an OutOfMemoryError too
            r.run();
            throw e;
        }
    }

    /**
     * Makes the accepting end's resources, by way of the connecting end's segment.
     *
     * @param description what follows the name of that segment in the offer
     * @param share as for {@link #create}
     * @param deadline for the peer process to answer
     */
    static SciResources connect(Regions regions, int node, int segmentId, int inboxBytes, long nonce, ByteBuffer description,
            MemoryBudget.Share share, long deadline) throws IOException {
        SciResources r = new SciResources(inboxBytes, share);
        try {
            r.makeBell();
            r.inhabit(isApart() ? TwoSegments.connect(node, segmentId, inboxBytes, r.bell, deadline)
                    : regions.join(node, segmentId, inboxBytes, nonce, description, deadline));
            return r;
        } catch (Throwable e) { // an OutOfMemoryError too
            r.run();
            throw e;
        }
    }

    private void makeBell() throws IOException {
        if (!Region.sharesBell()) {
            bell = new SciBell();
        }
    }

    private void inhabit(Inboxes made) throws IOException {
        inboxes = made;
        if (made instanceof Place place) {
            place.prepare(bell);
        }
    }

    /** The inboxes that this end has made, to be filled in before they are offered. */
    List<Shared> made() {
        return inboxes.made();
    }

    /** The inboxes that the peer has made, to be checked. */
    List<Shared> found() {
        return inboxes.found();
    }

    /** See {@link Inboxes#makeAvailable}. */
    void makeAvailable() throws IOException {
        inboxes.makeAvailable();
    }

    /** See {@link Inboxes#makeUnavailable}. */
    void makeUnavailable() {
        inboxes.makeUnavailable();
    }

    /** See {@link Inboxes#admitPeer}. */
    void admitPeer() throws IOException {
        inboxes.admitPeer();
    }

    /** Connects to the peer's interrupt, and to its segment, if this end is not connected to that already. Both until the deadline. */
    void connectPeer(int node, int number, int segmentId, long deadline) throws IOException {
        inboxes.connect(node, segmentId, deadline);
        Place place = place();
        if (place == null) {
            peersBell = new PeerBell(node, number, deadline);
        } else {
            peersBell = place.region().peersBell(node, number, deadline);
            peersBellWord = place.region().bellWord(false);
            mine = new Inbox(mine());
            theirs = new Inbox(theirs());
        }
    }

    /** The place of this connection; null behind a card. */
    Place place() {
        return inboxes instanceof Place place ? place : null;
    }

    /** Writes to the offer what names this memory, beyond its segment's id. */
    void describe(ByteBuffer out) {
        inboxes.describe(out);
    }

    /** The inbox that this end reads. */
    Shared mine() {
        return inboxes.mine();
    }

    /** The inbox that the peer reads. */
    Shared theirs() {
        return inboxes.theirs();
    }

    /** Gives back pages of the peer's inbox that hold nothing. */
    void release(int offset, int length) {
        inboxes.release(offset, length);
    }

    /** Whether all pages are there from the beginning and stay: behind a card, whose driver keeps them, and under strict accounting. */
    private static boolean hasAllPages() {
        return isApart() || Pages.STRICT;
    }

    /** This end now keeps that many bytes resident, of those that it has written. */
    void hold(long resident) {
        if (!hasAllPages()) {
            share.hold(resident);
        }
    }

    /** Whether SISCI has said that the other process, or its end of the path, is gone (END-1). */
    boolean isPeerGone() {
        return inboxes.isPeerGone();
    }

    /** The peer process has died, of which SISCI may not have told. */
    void peerHasDied() {
        inboxes.peerHasDied();
    }

    /** Whether a store was lost on its way to the peer. Nothing has been published since. */
    boolean hasLostStores() {
        return inboxes.hasLostStores();
    }

    /** After a lost store, what was to be published may not have been. Then the writer must not believe that its bytes were sent. */
    void checkStores() throws SocketException {
        if (hasLostStores()) {
            throw new SocketException("the SCI fabric lost data on its way to the peer");
        }
    }

    /** Whether a fabric lies between the ends. The fabric may lose things, and the vendor's library may not notice. */
    static boolean isApart() {
        return !Sisci.sharesMemory();
    }

    /** The deadline, or an earlier time where rings may get lost (CARD-1). */
    long bounded(long deadline) {
        return isApart() ? SciBell.bounded(deadline) : deadline;
    }

    /** How long a caller may rely on being told, nanoseconds, where rings may get lost (CARD-1). */
    long boundedNanos(long nanos) {
        long until = bounded(Deadline.NONE);
        return until == Deadline.NONE ? nanos : Math.min(nanos, Deadline.nanosUntil(until));
    }

    /** The id of the segment that this end made; 0 if it made none. */
    int segmentId() {
        return inboxes.segmentId();
    }

    /** The number of the bell that the peer is to ring. */
    int interruptNumber() {
        return bell != null ? bell.number() : place().region().bell().number();
    }

    /** Makes the sleepers of this end. They have to {@link #enter}. */
    Sleepers sleepers() {
        return bell != null ? new BellSleepers(bell) : new WordSleepers(place().region().bell());
    }

    /** From now on threads of this end may sleep. */
    void enter(Sleepers sleepers) {
        if (sleepers instanceof WordSleepers atWords) {
            place().enter(atWords, theirs);
        }
    }

    /**
     * Wakes the peer's thread that announces itself by this word, if it sleeps. To be called after publishing what it waits for.
     * Never blocks.
     *
     * @param word of the inbox that this end reads
     * @return whether a thread was to be woken
     */
    boolean wakePeer(AsleepWord word) {
        int how = word.take();
        if (how == AsleepWord.FUTEX && !isApart()) {
            word.wake();
        } else if (how != AsleepWord.AWAKE) {
            ringPeersBell();
        }
        return how != AsleepWord.AWAKE;
    }

    private void ringPeersBell() {
        if (peersBellWord == null) {
            peersBell.ring();
            return;
        }
        boolean rung = false;
        for (int tries = 0; !rung && tries < RING_TRIES && peersBellWord.takeRing(); tries++) {
            try {
                rung = peersBell.ring();
            } finally {
                if (!rung) {
                    peersBellWord.giveRingBack();
                }
            }
        }
    }

    /** Frees everything that was made. The bell that the peer rings is freed last. */
    @Override
    public void run() {
        if (inboxes != null) {
            sayThatThisEndLeaves();
            Place place = place();
            if (place != null && peersBell != null) {
                place.region().letGo(peersBell);
                peersBell = null;
            }
            inboxes.leave();
        }
        if (peersBell != null) {
            peersBell.run();
        }
        if (bell != null) {
            bell.run();
        }
        inboxes = null;
        peersBell = null;
        peersBellWord = null;
        bell = null;
        share.end();
        Step.FREED.reached();
    }

    /**
     * SISCI tells the peer of the end of a segment, not of one connection in it. An end that was not closed in order has not told
     * the peer either, and does so here.
     */
    private void sayThatThisEndLeaves() {
        if (theirs != null) {
            theirs.closeReceiver();
            wakePeer(mine.writer());
            mine = theirs = null;
        }
    }
}
