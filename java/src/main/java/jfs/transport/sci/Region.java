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
 * One segment that two processes share, with places for one connection or several between them: an inbox pair each. The
 * process whose connection was offered first has made it, and it alone offers its places.
 *
 * <pre>
 *   | place 0: acceptor's inbox | connector's inbox | place 1: acceptor's inbox | connector's inbox | ...
 * </pre>
 *
 * Each process has one mapping of it and one SISCI connection, which tells of the other one's death, however many places are
 * taken. It lets go of both when it has left its last place. Then the other process hears that this one has gone,
 * and nobody takes another place of the region.
 *
 * <p>Who is in which place at this end is guarded by the {@link Regions}.
 */
final class Region {

    static final int CONNECT_MILLIS = 500;
    /** Segment numbers we choose leave SCILib's (0x10000000) alone. */
    static final int ID_MASK = 0x0fffffff;

    private final boolean ours;
    /** Set once, when all else is there that takes memory. */
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
    /** The instance of the process that shares one that is ours; 0 as long as it is not known. */
    private Long peer = 0L;
    /** Under which the {@link Regions} know one that is not ours. */
    private Long key = 0L;

    private Region(boolean ours, int inboxBytes, int places) {
        this.ours = ours;
        this.inboxBytes = inboxBytes;
        this.taken = new boolean[places];
    }

    /** A new one. Nobody else can reach it yet. */
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

    /** Another process's. Blocks for at most {@link #CONNECT_MILLIS}. */
    static Region connect(int node, int id, int inboxBytes, int places) throws IOException {
        Region it = new Region(false, inboxBytes, places);
        SciBell bell = newBell();
        try {
            it.segment = SciSegment.connect(node, id, bytes(inboxBytes, places), CONNECT_MILLIS, null);
            it.ringBy(bell);
            return it;
        } catch (Throwable e) { // an OutOfMemoryError too
            it.giveUp(bell);
            throw e;
        }
    }

    /** Before the segment, because it looks how many descriptors are in use (LIMIT-1). */
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
     * Whether the ends in a region share one bell. Where a platform thread can't sleep in a futex each end has its own, so that such a
     * thread waits there itself and needs no other one to wake it.
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

    /** From now on the peer process may connect, if it has not yet. On the negotiation's thread. */
    void openDoor() throws IOException {
        if (!open) {
            open = true;
            segment.admitOne();
            segment.openDoor();
            Step.SEGMENT_AVAILABLE.reached();
        }
    }

    /** The peer process has connected; nobody else may. By any thread, idempotent. */
    void closeDoor() {
        segment.closeDoor();
    }

    void checkAlone() throws IOException {
        segment.checkAlone();
    }

    /** This process's, for all its ends here; null where each has its own. */
    RegionBell bell() {
        return bell;
    }

    /** Whether a bell has been rung: this process's, or the peer's. */
    BellWord bellWord(boolean own) {
        return new Inbox(inbox(0, own == ours)).bell();
    }

    /**
     * A way to the peer's bell of that number. If all ends of the peer have one bell, all of this process use the same way to it.
     * Each caller {@linkplain #letGo lets go} of it once, before the region ends.
     */
    synchronized PeerBell peersBell(int node, int number) throws IOException {
        if (peersBell != null && number == peersNumber) {
            return peersBell;
        }
        PeerBell made = new PeerBell(node, number);
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

    /** When the peer process has gone this bell is rung too. It may have gone before. */
    void ringWhenPeerHasGone(SciBell bell) throws IOException {
        segment.ringWhenPeerHasGone(bell);
    }

    // With the lock of the Regions.

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

    /** One of ours that neither process uses; -1 if there is none. */
    int freePlace() {
        for (int place = 0; users < taken.length && place < taken.length; place++) {
            if (!taken[place] && new Inbox(inbox(place, true)).isPlaceFree()) {
                return place;
            }
        }
        return -1;
    }

    /** @return false if this process is there already */
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

    // The memory of a place, for who is in it.

    /** @param connectors whether it is the one that the connecting end reads */
    Shared inbox(int place, boolean connectors) {
        return segment.window(offset(place, connectors), inboxBytes);
    }

    private int offset(int place, boolean connectors) {
        return (2 * place + (connectors ? 1 : 0)) * inboxBytes;
    }

    /** Has what both ends need to begin with. */
    void populate(int place) throws NoResourcesException {
        Pages.populate(memory(), offset(place, false), inboxBytes);
    }

    /** Gives back pages that hold nothing, of one inbox. */
    void release(int place, boolean connectors, int offset, int length) {
        Pages.release(memory(), offset(place, connectors) + offset, length);
    }

    private ByteBuffer memory() {
        return segment.memory();
    }

    /** The last thing that this process does with it. The bell that others ring goes last. */
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
