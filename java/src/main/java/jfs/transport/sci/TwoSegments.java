package jfs.transport.sci;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import jfs.memory.Shared;
import jfs.sisci.SciBell;
import jfs.sisci.SciSegment;
import jfs.steps.Step;

/**
 * The inboxes behind a card. Each end has a segment of its own with its inbox, which the peer writes and its owner reads
 * (CARD-1).
 *
 * <pre>
 *   connecting end's:  | connector's inbox |
 *   accepting end's:   | acceptor's inbox |
 * </pre>
 */
final class TwoSegments implements Inboxes {

    private final int inboxBytes;
    private final SciBell bell;
    private SciSegment ours;
    private SciSegment peers;
    private Shared mine;
    private Shared theirs;

    private TwoSegments(int inboxBytes, SciBell bell) {
        this.inboxBytes = inboxBytes;
        this.bell = bell;
    }

    /** Makes the connecting end's segment. No other process can reach it yet. {@code bell} is rung when the peer has gone. */
    static TwoSegments create(int inboxBytes, SciBell bell) throws IOException {
        TwoSegments it = new TwoSegments(inboxBytes, bell);
        try {
            it.makeOurs();
            return it;
        } catch (Throwable e) { // an OutOfMemoryError too
            it.leave();
            throw e;
        }
    }

    /** Connects to the connecting end's segment until the deadline, and makes the accepting end's. */
    static TwoSegments connect(int node, int segmentId, int inboxBytes, SciBell bell, long deadline) throws IOException {
        TwoSegments it = new TwoSegments(inboxBytes, bell);
        try {
            it.connect(node, segmentId, deadline);
            it.makeOurs();
            return it;
        } catch (Throwable e) { // an OutOfMemoryError too
            it.leave();
            throw e;
        }
    }

    private void makeOurs() throws IOException {
        ours = SciSegment.createAny(0, Region.ID_MASK, inboxBytes, bell);
        mine = ours.window(0, inboxBytes);
    }

    @Override
    public void connect(int node, int segmentId, long deadline) throws IOException {
        if (peers == null) {
            peers = SciSegment.connect(node, segmentId, inboxBytes, deadline, bell);
            theirs = peers.window(0, inboxBytes);
        }
    }

    @Override
    public Shared mine() {
        return mine;
    }

    @Override
    public Shared theirs() {
        return theirs;
    }

    @Override
    public List<Shared> made() {
        return List.of(mine);
    }

    @Override
    public List<Shared> found() {
        return List.of(theirs);
    }

    @Override
    public void makeAvailable() throws IOException {
        ours.makeAvailable();
        Step.SEGMENT_AVAILABLE.reached();
    }

    @Override
    public void makeUnavailable() {
        ours.makeUnavailable();
    }

    @Override
    public void admitPeer() throws IOException {
        ours.makeUnavailable();
        ours.checkAlone();
    }

    /** Writes nothing: the segment's id is enough. */
    @Override
    public void describe(ByteBuffer out) {
    }

    @Override
    public int segmentId() {
        return ours.id();
    }

    /** A card's driver keeps all pages. */
    @Override
    public void release(int offset, int length) {
    }

    @Override
    public boolean isPeerGone() {
        return peers != null && peers.isPeerGone() || ours != null && ours.isPeerGone();
    }

    @Override
    public void peerHasDied() {
        ours.peersHaveDied();
    }

    @Override
    public boolean hasLostStores() {
        return peers != null && peers.hasLostStores();
    }

    /** Leaves the peer's segment first: the peer can't remove it while this end is connected to it. */
    @Override
    public void leave() {
        if (peers != null) {
            peers.run();
        }
        if (ours != null) {
            ours.run();
        }
        peers = ours = null;
        mine = theirs = null;
    }
}
