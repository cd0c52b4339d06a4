package jfs.steps;

import java.util.function.Consumer;

/**
 * The steps of a connection's life between which something may happen to its process: each is reached when what its
 * comment says has just been done, in the thread that did it. The code calls {@link #reached} there and takes no other
 * notice.
 *
 * <p>The internal property {@code org.javafastsockets.steps} names a class with a public constructor without arguments,
 * a {@code Consumer<Step>}, which is then called at each step, by any number of threads at once; what it throws comes
 * out of that step. Only tests have such a class. Without one the hook is a constant null, for which compiled code
 * spends nothing.
 */
public enum Step {

    // Connect.

    /** Client, the program's thread: TCP is connected. */
    CONNECTED,
    /** Server, the program's thread: TCP has accepted, and nobody knows of it yet. */
    ACCEPTED,

    // Offer and proof, on the negotiation's thread but for the first.

    /** Client, the program's thread: the connection has become worth an offer. */
    OFFER_DUE,
    /** Client: connected to the listener's name. */
    NAME_CONNECTED,
    /** Client: the segment is there, unmapped. */
    SEGMENT_CREATED,
    /** Both: the segment is mapped. */
    SEGMENT_MAPPED,
    /** Client: the segment is laid out and a peer may connect to it. */
    SEGMENT_AVAILABLE,
    /** Client: the offer is sent. */
    OFFER_SENT,
    /** Server: a client has connected to the name and is allowed to. */
    VISITOR_ADMITTED,
    /** Server: the offer is received. */
    OFFER_RECEIVED,
    /** Server: the accepted socket with the offer's 4-tuple is found. */
    TUPLE_FOUND,
    /** Server: connected to the segment. */
    SEGMENT_CONNECTED,
    /** Server: the segment holds the nonce that was offered. */
    NONCE_PROVED,
    /** Both: the socket has its path. The server answers afterwards. */
    ATTACHED,
    /** Server: the answer is sent. */
    ANSWER_SENT,
    /** Client: the answer is received. */
    ANSWER_RECEIVED,
    /** Client: the peer's doorbell is reached; the path can be attached. */
    OFFER_COMPLETED,

    // Switch.

    /** Reader: READY is published. */
    READY_PUBLISHED,
    /** Writer: the switch and its count are published. */
    SWITCH_PUBLISHED,
    /** Reader: TCP is drained to the count. */
    SWITCH_COMPLETED,

    // Transfer.

    /** Writer: a record is in the ring, without its header. */
    RECORD_WRITTEN,
    /** Writer: its header is there too. A sleeping peer has not been rung for it. */
    RECORD_PUBLISHED,
    /** Reader: consumed lines are given back. A writer that waits for them has not been rung. */
    HEAD_PUBLISHED,
    /** Writer: the ring has stayed full, and bytes are in the overflow ring, where nobody looks yet. */
    SPILL_WRITTEN,
    /** Writer: the ring says that the stream goes on in the overflow ring. */
    SPILL_PUBLISHED,
    /** Writer: the overflow ring is drained, and the stream goes on in the ring. */
    SPILL_ENDED,
    /** Reader: it has announced that it sleeps, and doesn't yet. */
    READER_ASLEEP,
    /** Reader: it has slept, or was about to, and has not looked since at what there is. */
    READER_AWAKE,
    /** Writer: the same. */
    WRITER_ASLEEP,

    // Half-close.

    /** Who called shutdownOutput: no byte will be written; the peer can't know yet. */
    OUTPUT_SHUT,
    /** By shutdownOutput or close: the end of the stream is published in the path, and not in TCP. */
    END_PUBLISHED,
    /** By shutdownOutput: TCP's output is shut too. */
    TCP_OUTPUT_SHUT,

    // Close.

    /** Who called close: the socket is marked closed, and nothing else is done. */
    CLOSING,
    /** TCP is closed, the path is still there. */
    TCP_CLOSED,
    /** The peer's writer is told that nobody will read. */
    RECEIVER_CLOSED,
    /** Neither a reader nor a writer of this end will use the path any more. */
    HALVES_RETIRED,
    /** What this end has of the path is freed: mapping, segment, doorbells. Between hosts its channel may live on (END-5). */
    FREED,

    // Between hosts only: offer and proof, on the negotiation's thread, then on one for what a peer makes slow.

    /** Server: it has proved that it has the key, and awaits the offer. */
    CHALLENGE_SENT,
    /** Client: so the peer has; the offer can be made. */
    PEER_PROVED,
    /** Both: the stream's beginning that came is what the peer has sent, and the peer is told so. */
    OPENING_COMPARED,
    /** Both: the peer's endpoint is reached, and nothing said to it. */
    ENDPOINT_CONNECTED,
    /** Both: the greeting with the nonce is sent; the path can be attached. */
    GREETING_SENT,

    // Between hosts only: messages.

    /** Whoever looks for messages: one is taken in. It is not answered, and nobody knows of it yet; the first is the greeting. */
    MESSAGE_RECEIVED,
    /** Writer: the channel has bytes, in messages that are under way or gather. The first says that the stream switches. */
    DATA_SENT,
    /** Reader: the peer is told that bytes were taken. */
    CREDIT_TOLD,
    /** Whoever hears of it: the peer has all that was sent, or won't read it, and the closed socket's channel is forgotten. */
    CHANNEL_FORGOTTEN;

    /** Apart from the steps, which its class needs: of two threads that use the one and the other first neither waits for both. */
    private static final class Hook {
        static final Consumer<Step> ONLY = hook();
    }

    /** Tells the hook, if there is one. */
    public void reached() {
        if (Hook.ONLY != null) {
            Hook.ONLY.accept(this);
        }
    }

    @SuppressWarnings("unchecked")
    private static Consumer<Step> hook() {
        String name;
        try {
            name = System.getProperty("org.javafastsockets.steps");
        } catch (SecurityException e) { // there are no tests under a security manager
            return null;
        }
        if (name == null) {
            return null;
        }
        try {
            return (Consumer<Step>) Class.forName(name).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("org.javafastsockets.steps=" + name, e);
        }
    }
}
