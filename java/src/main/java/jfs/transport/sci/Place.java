package jfs.transport.sci;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import jfs.memory.Shared;
import jfs.ring.Inbox;
import jfs.ring.InboxLayout;
import jfs.sisci.SciBell;
import jfs.spi.StaleOfferException;
import jfs.wait.WordSleepers;

/**
 * The two inboxes of one connection, in a {@link Region}. Where a region has several places, the word PLACE in the connector's
 * inbox says which ends use this one (PLACE-1):
 *
 * <pre>
 *        the owner offers it             the acceptor joins            the first end leaves
 *   FREE ------------------> the nonce -------------------> JOINED -----------------------> LEFT
 *    ^                           |                                                            |
 *    |                           | the offer ends, unjoined         the last end has cleared the memory
 *    +---------------------------+------------------------------------------------------------+
 * </pre>
 *
 * The place is offered to another connection only when it is FREE. So no end of the connection before touches it any more, and
 * its memory is like new. If the peer process has gone, this end is the last one, and the place is not offered again.
 *
 * <p>A region of one place ends when its two ends have left. The word is not used there, and a peer of an older build, which
 * doesn't know the word, gets no other region.
 */
final class Place implements Inboxes {

    private final Regions regions;
    private final Region region;
    private final int index;
    private final boolean connector;
    private final long nonce;
    private final boolean alone;
    private Shared mine;
    private Shared theirs;
    /** Both inboxes, with the names of their words. Made here, because {@link #leave} allocates nothing. */
    private final Inbox connectors;
    private final Inbox acceptors;
    /** Whether this end has written PLACE. */
    private boolean inside;

    /** For a place that this process {@linkplain Region#take takes}. */
    Place(Regions regions, Region region, int index, boolean connector, long nonce) {
        this.regions = regions;
        this.region = region;
        this.index = index;
        this.connector = connector;
        this.nonce = nonce;
        this.alone = region.places() == 1;
        Shared ofConnector = region.inbox(index, true);
        Shared ofAcceptor = region.inbox(index, false);
        this.mine = connector ? ofConnector : ofAcceptor;
        this.theirs = connector ? ofAcceptor : ofConnector;
        this.connectors = new Inbox(ofConnector);
        this.acceptors = new Inbox(ofAcceptor);
    }

    Region region() {
        return region;
    }

    /**
     * Registers a bell that is rung when the peer process has gone, and gets the pages that are needed to begin with.
     *
     * @param bell of this end; null if the region's bell serves all its ends
     */
    void prepare(SciBell bell) throws IOException {
        if (bell != null) {
            region.ringWhenPeerHasGone(bell);
        }
        region.populate(index);
    }

    /** From now on the region's bell wakes these sleepers. */
    void enter(WordSleepers sleepers, Inbox peers) {
        region.bell().enter(index, sleepers, peers.reader(), peers.writer());
    }

    /** Called at the accepting end, before it looks at anything else here. */
    void join() throws StaleOfferException {
        if (!alone) {
            inside = connectors.joinPlace(nonce);
            if (!inside) {
                throw new StaleOfferException("the place is not offered any more");
            }
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
        return connector ? List.of(theirs, mine) : List.of();
    }

    @Override
    public List<Shared> found() {
        return connector ? List.of() : List.of(mine, theirs);
    }

    @Override
    public void makeAvailable() throws IOException {
        if (connector) {
            if (!alone) {
                connectors.offerPlace(nonce);
                inside = true;
            }
            region.makeAvailable();
        }
    }

    @Override
    public void makeUnavailable() {
        region.makeUnavailable();
    }

    @Override
    public void admitPeer() throws IOException {
        region.makeUnavailable();
        region.checkAlone();
        if (!alone && !connectors.wasPlaceJoined()) {
            throw new IOException("the peer has accepted an offer whose place it has not joined");
        }
    }

    /** Does nothing: both ends are in the region. */
    @Override
    public void connect(int node, int segmentId, long deadline) {
    }

    @Override
    public void describe(ByteBuffer out) {
        out.putLong(alone ? 0 : region.peer()).putInt(alone ? 0 : region.places()).putInt(index);
    }

    @Override
    public int segmentId() {
        return connector ? region.id() : 0;
    }

    @Override
    public void release(int offset, int length) {
        region.release(index, !connector, offset, length);
    }

    @Override
    public boolean isPeerGone() {
        return region.isPeerGone();
    }

    @Override
    public boolean hasLostStores() {
        return false;
    }

    @Override
    public void leave() {
        if (region.bell() != null) {
            region.bell().leave(index);
        }
        boolean last = inside && (region.isPeerGone() || connector && connectors.withdrawPlace(nonce)
                || !connectors.leavePlaceFirst());
        if (last) {
            region.release(index, true, InboxLayout.RING, mine.length() - InboxLayout.RING);
            region.release(index, false, InboxLayout.RING, mine.length() - InboxLayout.RING);
            acceptors.clear();
            connectors.clear();
            connectors.freePlace();
        }
        mine = theirs = null;
        regions.leave(region, index);
    }
}
