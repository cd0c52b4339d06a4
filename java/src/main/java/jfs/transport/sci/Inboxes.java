package jfs.transport.sci;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import jfs.memory.Shared;

/**
 * Where the two inboxes of one end lie, and what SISCI knows of that memory. Made and connected on the negotiation's thread;
 * {@link #leave left} once, by any thread, after the last use.
 */
interface Inboxes {

    /** What this end reads. */
    Shared mine();

    /** What the peer reads; null until {@link #connect} where each end has a segment. */
    Shared theirs();

    /** The inboxes that this end made, to be filled in before they are offered. */
    List<Shared> made();

    /** The inboxes that the peer made, to be checked. */
    List<Shared> found();

    /** What this end made holds what a peer expects: from now on the peer may come. */
    void openDoor() throws IOException;

    /** The peer has come, nobody else may. By any thread, idempotent. */
    void closeDoor();

    /** The peer says that it has come. Afterwards it is the only one who may, or has; an IOException if it has not. */
    void admitPeer() throws IOException;

    /** Reaches the peer's own segment, if it has one. May block for half a second. */
    void connect(int node, int segmentId) throws IOException;

    /** Writes to the offer which part of the segment this is, if it has several: 16 bytes, or nothing behind a card. */
    void describe(ByteBuffer out);

    /** Of the segment that this end made; 0 if it made none. */
    int segmentId();

    /** Gives back pages of the peer's inbox that hold nothing. Offsets in that inbox, bytes. */
    void release(int offset, int length);

    /** Whether SISCI has said that the process at the other end is gone, or has let go of this memory (END-1). */
    boolean isPeerGone();

    /** Whether a store has got lost on its way to the peer: nothing has been published since. */
    boolean hasLostStores();

    /** This end is done. Makes no object, so that it does when there is no memory left. */
    void leave();
}
