package jfs.spi;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A way to carry bytes fast between two processes that have proved to hold the two ends of one TCP connection. Methods
 * are called on the negotiation's thread; they may take system calls. {@link #join} and {@link Offer#complete} may block for
 * half a second where a hostile peer can make them; a transport between hosts has them called beside that thread, several of
 * them at once, and there they may block for a second.
 */
public interface Transport {

    /** Its name in offers: who has none of that name declines. */
    String name();

    /**
     * Makes the connecting end's half: what the peer needs to join is its {@link Offer#describe description}.
     *
     * @param version of the protocol, one of those that this process speaks: the same at both ends
     * @param peer names the process that will be asked: under the same name it is probably the same one as before. Null if
     *            what is known of it has proved wrong, so that the offer relies on nothing
     * @throws NoResourcesException if this process should not have one more (LIMIT-1)
     */
    Offer offer(int version, long nonce, String peer) throws IOException;

    /**
     * Joins an offer that another process describes, if its nonce is the one that was promised.
     *
     * @throws NoResourcesException if this process should not have one more (LIMIT-1)
     * @throws OtherVersionException if what lies under the transport can't work with the peer's
     * @throws StaleOfferException if the same peer may have another offer that is good
     */
    Joined join(int version, ByteBuffer description, long nonce) throws IOException;

    /** A half that waits for its other half. Exactly one of {@link #complete} and {@link #abandon} is called, once. */
    interface Offer {

        /** Writes what names it; at most 64 bytes. */
        void describe(ByteBuffer out);

        /** The peer has joined and answered. On an exception everything is freed. */
        FastPath complete(ByteBuffer answer) throws IOException;

        /** The one who was asked could not take it: what this offer relied on may be wrong. Before {@link #abandon}. */
        default void refused() {
        }

        /** Frees everything. */
        void abandon();
    }

    /** The accepting end, ready to use. */
    interface Joined {

        FastPath path();

        /** Writes what the other end needs to know of this one; at most 64 bytes. */
        void answer(ByteBuffer out);
    }
}
