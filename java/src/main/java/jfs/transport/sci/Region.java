package jfs.transport.sci;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.memory.Shared;
import jfs.nativelib.Sisci;
import jfs.ring.BellWord;
import jfs.ring.Inbox;
import jfs.sisci.PeerBell;
import jfs.sisci.SciBell;
import jfs.sisci.SciSegment;
import jfs.spi.NoResourcesException;
import jfs.steps.Step;

/**
 * One segment that two processes share, with places for one connection or several between them. A place is a pair of inboxes. The
 * process whose connection was offered first has made the segment, and it alone offers its places.
 *
 * <pre>
 *   | place 0: acceptor's inbox | connector's inbox | place 1: acceptor's inbox | connector's inbox | ...
 * </pre>
 *
 * Each process has one mapping of the segment and one SISCI connection, however many places are taken. The SISCI connection tells
 * of the other process's death. A process lets go of both when it has left its last place. Then the other process hears that this
 * one has gone, and no process takes another place of the region.
 *
 * <p>Which places this process has taken is guarded by the {@link Regions}.
 */
final class Region {

    /** Segment ids that are chosen here leave SCILib's (0x10000000) alone. */
    static final int ID_MASK = 0x0fffffff;

    private final boolean ours;
    /** Set once, by {@link #create} or {@link #connect}. */
    private SciSegment segment;
    /** Null where each end has a bell of its own. */
    private RegionBell bell;
    /** The peer's bell for this region. Guarded by this. */
    private PeerBell peersBell;
    private int peersNumber;
    private final int inboxBytes;
    private final boolean[] taken;
    private int users;
    private boolean open;
    /** The instance of the process that shares a region made by this one; 0 as long as it is not known. */
    private Long peer = 0L;
    /** The key under which the {@link Regions} know a region that another process made. */
    private Long key = 0L;

    private Region(boolean ours, int inboxBytes, int places) {
        this.ours = ours;
        this.inboxBytes = inboxBytes;
        this.taken = new boolean[places];
    }

    /** Makes a region. No other process can reach it yet. */
    static Region create(int inboxBytes, int places) throws IOException {
        Region it = new Region(true, inboxBytes, places);
        SciBell bell = newBell();
        try {
            it.segment = SciSegment.createAny(0, ID_MASK, bytes(inboxBytes, places), null);
            it.ringBy(bell);
            return it;
        } catch (Throwable e) { // an OutOfMemoryError too
            it.giveUp(bell);
            throw e;
        }
    }

    /** Connects to another process's region. Blocks until the deadline at most. */
    static Region connect(int node, int id, int inboxBytes, int places, long deadline) throws IOException {
        Region it = new Region(false, inboxBytes, places);
        SciBell bell = newBell();
        try {
            it.segment = SciSegment.connect(node, id, bytes(inboxBytes, places), deadline, null);
            it.ringBy(bell);
            return it;
        } catch (Throwable e) { // an OutOfMemoryError too
            it.giveUp(bell);
            throw e;
        }
    }

    /** Called before the segment is made, because the bell checks how many descriptors are in use (LIMIT-1). */
    private static SciBell newBell() throws IOException {
        return sharesBell() ? new SciBell() : null;
    }

    private void ringBy(SciBell made) throws IOException {
        if (made != null) {
            ringWhenPeerHasGone(made);
            bell = new RegionBell(this, bellWord(true), made);
        }
    }

    private void giveUp(SciBell made) {
        if (segment != null) {
            segment.run();
        }
        if (made != null) {
            made.run();
        }
    }

    /**
     * Whether the ends in a region share one bell. Where a platform thread can't sleep in a futex each end has its own bell. Such
     * a thread then waits at the bell itself and needs no other thread to wake it.
     */
    static boolean sharesBell() {
        return Sisci.sharesMemory() && Shared.canSleep();
    }

    static long bytes(int inboxBytes, int places) {
        return 2L * inboxBytes * places;
    }

    int id() {
        return segment.id();
    }

    int places() {
        return taken.length;
    }

    boolean has(int inbox, int places) {
        return inboxBytes == inbox && taken.length == places;
    }

    /** Whether the process at the other end is gone, or has left its last place. */
    boolean isPeerGone() {
        return segment.isPeerGone();
    }

    /** From now on the peer process may connect, if it has not yet. Called on the negotiation's thread. */
    void makeAvailable() throws IOException {
        if (!open) {
            open = true;
            segment.admitOne();
            segment.makeAvailable();
            Step.SEGMENT_AVAILABLE.reached();
        }
    }

    /** The peer process has connected, and no other process may. By any thread, idempotent. */
    void makeUnavailable() {
        segment.makeUnavailable();
    }

    void checkAlone() throws IOException {
        segment.checkAlone();
    }

    /** The bell of this process for all its ends here; null where each end has its own. */
    RegionBell bell() {
        return bell;
    }

    /** The word that says whether a bell has been rung: this process's own bell, or else the peer's. */
    BellWord bellWord(boolean own) {
        return new Inbox(inbox(0, own == ours)).bell();
    }

    /**
     * A connection to the peer's bell of that number. If all ends of the peer have one bell, all ends of this process use the
     * same connection. Each caller {@linkplain #letGo lets go} of it once, before the region ends.
     */
    synchronized PeerBell peersBell(int node, int number, long deadline) throws IOException {
        if (peersBell != null && number == peersNumber) {
            return peersBell;
        }
        PeerBell made = new PeerBell(node, number, deadline);
        if (peersBell == null) {
            peersBell = made;
            peersNumber = number;
        }
        return made;
    }

    synchronized void letGo(PeerBell peers) {
        if (peers != peersBell) {
            peers.run();
        }
    }

    /** When the peer process has gone this bell is rung too. The peer may have gone before the call. */
    void ringWhenPeerHasGone(SciBell bell) throws IOException {
        segment.ringWhenPeerHasGone(bell);
    }

    // Called with the lock of the Regions.

    void isSharedWith(Long instance) {
        peer = instance;
    }

    Long peer() {
        return peer;
    }

    void isKnownAs(Long regionsKey) {
        key = regionsKey;
    }

    Long key() {
        return key;
    }

    /** A place that neither process uses, of a region that this process made; -1 if there is none. */
    int freePlace() {
        for (int place = 0; users < taken.length && place < taken.length; place++) {
            if (!taken[place] && new Inbox(inbox(place, true)).isPlaceFree()) {
                return place;
            }
        }
        return -1;
    }

    /** @return false if this process is in that place already */
    boolean take(int place) {
        if (taken[place]) {
            return false;
        }
        taken[place] = true;
        users++;
        return true;
    }

    /** @return whether this process is in no place any more */
    boolean leave(int place) {
        taken[place] = false;
        return --users == 0;
    }

    // The memory of a place, for an end that is in it.

    /** @param connectors whether it is the inbox that the connecting end reads */
    Shared inbox(int place, boolean connectors) {
        return segment.window(offset(place, connectors), inboxBytes);
    }

    private int offset(int place, boolean connectors) {
        return (2 * place + (connectors ? 1 : 0)) * inboxBytes;
    }

    /** Gets the pages that both ends need to begin with. */
    void populate(int place) throws NoResourcesException {
        Pages.populate(memory(), offset(place, false), inboxBytes);
    }

    /** Gives back pages of one inbox that hold nothing. */
    void release(int place, boolean connectors, int offset, int length) {
        Pages.release(memory(), offset(place, connectors) + offset, length);
    }

    private ByteBuffer memory() {
        return segment.memory();
    }

    /** The last thing that this process does with the region. The bell that the peer rings is freed last. */
    void end() {
        SciBell last = bell == null ? null : bell.end();
        segment.run();
        synchronized (this) {
            if (peersBell != null) {
                peersBell.run();
                peersBell = null;
            }
        }
        if (last != null) {
            last.run();
        }
    }
}
