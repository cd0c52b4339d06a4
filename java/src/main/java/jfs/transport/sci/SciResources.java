package jfs.transport.sci;

import java.io.IOException;
import java.util.List;
import jfs.memory.Shared;
import jfs.nativelib.Sisci;
import jfs.sisci.PeerBell;
import jfs.sisci.SciBell;
import jfs.sisci.SciSegment;
import jfs.steps.Step;

/**
 * The SISCI handles of one end: segments and their mappings, our interrupt and the peer's. Built on the negotiation's
 * thread, freed once by the {@link Lease}; in between only the interrupts are used, by any thread.
 *
 * <p>Where all nodes {@linkplain Sisci#sharesMemory share memory} the connecting end's segment is the region of both
 * inboxes, the acceptor's first. Behind a card each end has a segment of its own, with its inbox: the peer writes there,
 * it reads its own memory.
 *
 * <pre>
 *   one region      connecting end's:  | acceptor's inbox | connector's inbox |
 *
 *   two segments    connecting end's:  | connector's inbox |
 *                   accepting end's:   | acceptor's inbox |
 * </pre>
 */
final class SciResources implements Runnable {

    private static final int CONNECT_MILLIS = 500;
    /** Segment numbers we choose leave SCILib's (0x10000000) alone. */
    private static final int ID_MASK = 0x0fffffff;

    /** Whether each end has a segment. */
    private final boolean apart = !Sisci.sharesMemory();
    private final MemoryBudget.Share share;
    private final int inboxBytes;
    /** One of them is null where there is one region. */
    private SciSegment ours;
    private SciSegment peers;
    private Shared mine;
    private Shared theirs;
    private SciBell bell;
    private PeerBell peersBell;

    private SciResources(int inboxBytes, MemoryBudget.Share share) {
        this.inboxBytes = inboxBytes;
        this.share = share;
        if (hasAllPages()) {
            share.hold(apart ? inboxBytes : 2L * inboxBytes);
        }
    }

    /**
     * The connecting end's, with inboxes of this size. Nobody else can reach it yet.
     *
     * @param share of the memory; it ends with these resources, or with the failure to make them
     */
    static SciResources create(int inboxBytes, MemoryBudget.Share share) throws IOException {
        SciResources r = new SciResources(inboxBytes, share);
        try {
            r.bell = new SciBell();
            if (r.apart) {
                r.makeOurs();
            } else {
                r.ours = SciSegment.createAny(0, ID_MASK, 2L * inboxBytes, r.bell);
                Pages.populate(r.ours.memory(), inboxBytes);
                r.theirs = r.inbox(r.ours, 0);
                r.mine = r.inbox(r.ours, 1);
            }
            return r;
        } catch (Throwable e) { // an OutOfMemoryError too
            r.run();
            throw e;
        }
    }

    /** The accepting end's, by way of the connecting end's segment; {@code share} as for {@link #create}. */
    static SciResources connect(int node, int segmentId, int inboxBytes, MemoryBudget.Share share) throws IOException {
        SciResources r = new SciResources(inboxBytes, share);
        try {
            r.bell = new SciBell();
            if (r.apart) {
                r.connectPeers(node, segmentId);
                r.makeOurs();
            } else {
                r.peers = SciSegment.connect(node, segmentId, 2L * inboxBytes, CONNECT_MILLIS, r.bell);
                Pages.populate(r.peers.memory(), inboxBytes);
                r.mine = r.inbox(r.peers, 0);
                r.theirs = r.inbox(r.peers, 1);
            }
            return r;
        } catch (Throwable e) { // an OutOfMemoryError too
            r.run();
            throw e;
        }
    }

    private void makeOurs() throws IOException {
        ours = SciSegment.createAny(0, ID_MASK, inboxBytes, bell);
        mine = inbox(ours, 0);
    }

    private void connectPeers(int node, int segmentId) throws IOException {
        peers = SciSegment.connect(node, segmentId, inboxBytes, CONNECT_MILLIS, bell);
        theirs = inbox(peers, 0);
    }

    private Shared inbox(SciSegment segment, int index) {
        return segment.window(index * inboxBytes, inboxBytes);
    }

    /** The inboxes that lie in our segment, to be filled in before it is offered. */
    List<Shared> made() {
        return ours == null ? List.of() : apart ? List.of(mine) : List.of(theirs, mine);
    }

    /** The inboxes that lie in the peer's segment, to be checked. */
    List<Shared> found() {
        return peers == null ? List.of() : apart ? List.of(theirs) : List.of(mine, theirs);
    }

    /** Our segment holds what a peer expects: from now on one may connect to it, if there is one for it. */
    void openDoor() throws IOException {
        if (ours != null) {
            ours.admitOne();
            ours.openDoor();
            Step.SEGMENT_AVAILABLE.reached();
        }
    }

    /** The peer has come, nobody else may. By any thread, idempotent. */
    void closeDoor() {
        if (ours != null) {
            ours.closeDoor();
        }
    }

    /** The peer says that it has come: so it is the only one who may, or has. */
    void admitPeer() throws IOException {
        ours.closeDoor();
        ours.checkAlone();
    }

    /** Reaches the peer's interrupt, and its segment, if that is not where we are already. */
    void connectPeer(int node, int number, int segmentId) throws IOException {
        if (theirs == null) {
            connectPeers(node, segmentId);
        }
        peersBell = new PeerBell(node, number);
    }

    /** What we read. */
    Shared mine() {
        return mine;
    }

    /** What the peer reads. */
    Shared theirs() {
        return theirs;
    }

    /** Gives back pages of the peer's inbox that hold nothing. A card's driver keeps its own. */
    void release(int offset, int length) {
        if (!apart) {
            Pages.release((ours != null ? ours : peers).memory(), (ours != null ? 0 : inboxBytes) + offset, length);
        }
    }

    /** Whether all pages are there from the beginning, and stay: a card's driver keeps its own, and so do strict systems. */
    private boolean hasAllPages() {
        return apart || Pages.STRICT;
    }

    /** That much of what this end has written is resident now, bytes. */
    void hold(long resident) {
        if (!hasAllPages()) {
            share.hold(resident);
        }
    }

    /** Whether SISCI has said that the other process, or its end of the path, is gone (R12). */
    boolean isPeerGone() {
        return peers != null && peers.isPeerGone() || ours != null && ours.isPeerGone();
    }

    /** Whether a store has got lost on its way to the peer: nothing has been published since. */
    boolean hasLostStores() {
        return peers != null && peers.hasLostStores();
    }

    /** Whether there is a fabric between the ends, which may lose things, and a vendor's library, which may miss them. */
    boolean isApart() {
        return apart;
    }

    /** A deadline that is not later, and not too late for where bells may get lost (R24). */
    long bounded(long deadline) {
        return apart ? SciBell.bounded(deadline) : deadline;
    }

    /** 0 if we have none. */
    int segmentId() {
        return ours == null ? 0 : ours.id();
    }

    int interruptNumber() {
        return bell.number();
    }

    SciBell bell() {
        return bell;
    }

    void ringPeer() {
        peersBell.ring();
    }

    /** Frees whatever there is: the peer's first, who can't remove what we are connected to; the bell that they ring last. */
    @Override
    public void run() {
        if (peers != null) {
            peers.run();
        }
        if (ours != null) {
            ours.run();
        }
        if (peersBell != null) {
            peersBell.run();
        }
        if (bell != null) {
            bell.run();
        }
        peers = ours = null;
        peersBell = null;
        mine = theirs = null;
        bell = null;
        share.end();
        Step.FREED.reached();
    }
}
