package jfs.transport.sci;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import jfs.memory.Shared;

/**
 * Where the two inboxes of one end lie, and what SISCI knows of that memory. Made and connected on the negotiation's thread.
 * {@link #leave} is called once, by any thread, after the last use.
 */
interface Inboxes {

    /** The inbox that this end reads. */
    Shared mine();

    /** The inbox that the peer reads; null until {@link #connect} where each end has a segment. */
    Shared theirs();

    /** The inboxes that this end made, to be filled in before they are offered. */
    List<Shared> made();

    /** The inboxes that the peer made, to be checked. */
    List<Shared> found();

    /** The inboxes that this end made hold what a peer expects. From now on the peer may connect to them. */
    void makeAvailable() throws IOException;

    /** The peer has connected, and no other process may. By any thread, idempotent. */
    void makeUnavailable();

    /**
     * The peer says that it has connected. From now on no other process may.
     *
     * @throws IOException if the peer has not connected, or another process has
     */
    void admitPeer() throws IOException;

    /** Connects to the peer's own segment, if it has one. May block until the deadline. */
    void connect(int node, int segmentId, long deadline) throws IOException;

    /** Writes to the offer which place of the segment this is: 16 bytes, zeros for the only place; nothing behind a card. */
    void describe(ByteBuffer out);

    /** The id of the segment that this end made; 0 if it made none. */
    int segmentId();

    /** Gives back pages of the peer's inbox that hold nothing. Offset in that inbox, bytes. */
    void release(int offset, int length);

    /** Whether SISCI has said that the process at the other end is gone, or has let go of this memory (END-1). */
    boolean isPeerGone();

    /** The peer process has died, of which SISCI may not have told: this end does not wait for the peer to leave. */
    default void peerHasDied() {
    }

    /** Whether a store was lost on its way to the peer. Nothing has been published since. */
    boolean hasLostStores();

    /** This end does not use the memory any more. Allocates nothing, so that it works when there is no memory left. */
    void leave();
}
