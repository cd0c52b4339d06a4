package jfs.spi;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A way to carry bytes fast between two processes that have proved that they hold the two ends of one TCP connection. The negotiation's
 * thread calls the methods. They may make system calls. {@link #join} and {@link Offer#complete} may block for half a second where a
 * hostile peer can delay them. For a transport between hosts other threads call these two methods, several threads at the same time, and
 * the methods may block for a second.
 */
public interface Transport {

    /**
     * The transport's name in offers: at most 16 visible characters of ASCII, which no other transport has. A process that has no transport
     * of that name declines the offer.
     */
    String name();

    /**
     * Makes the connecting end's half. Its {@link Offer#describe description} is what the peer needs to join.
     *
     * @param version of the protocol, one of those that this process speaks: the same at both ends
     * @param peer a name for the process that will be asked. A process that was asked by the same name before is probably the
     *            same. Null if what is known of that process has proved wrong, so that the offer must not rely on it
     * @throws NoResourcesException if this process should not have one more (LIMIT-1)
     */
    Offer offer(int version, long nonce, String peer) throws IOException;

    /**
     * Joins an offer that another process describes, if its nonce is the one that was promised.
     *
     * @throws NoResourcesException if this process should not have one more (LIMIT-1)
     * @throws OtherVersionException if the library under the transport can't work with the peer's
     * @throws StaleOfferException if another offer of the same peer may succeed
     */
    Joined join(int version, ByteBuffer description, long nonce) throws IOException;

    /** The connecting end's half, until the peer has joined. Exactly one of {@link #complete} and {@link #abandon} is called, once. */
    interface Offer {

        /** Writes what the peer needs to join; at most 64 bytes. May be called several times, once for each process that is asked. */
        void describe(ByteBuffer out);

        /** Called when the peer has joined and answered. If this throws an exception, everything is freed. */
        FastPath complete(ByteBuffer answer) throws IOException;

        /**
         * Called when the process that was asked could not take the offer: what the offer relied on may be wrong. {@link #abandon} follows.
         */
        default void refused() {
        }

        /** Frees everything. */
        void abandon();
    }

    /** The accepting end, ready to use. */
    interface Joined {

        /** If the connection has ended meanwhile, both halves of the path are retired without any other call. */
        FastPath path();

        /** Writes what the other end needs to know of this end; at most 64 bytes. Throws nothing. */
        void answer(ByteBuffer out);
    }
}
