package jfs.steps;

import java.util.function.Consumer;

/**
 * The steps of a connection's life. Something may happen to its process between any two of them. A thread that has just done
 * what a step's comment says has reached the step. The code calls {@link #reached} there and takes no other notice of it.
 *
 * <p>The internal property {@code org.javafastsockets.steps} names a class with a public constructor without arguments,
 * a {@code Consumer<Step>}. It is then called at each step, by any number of threads at the same time. An exception that it
 * throws comes out of that step. Only tests have such a class. Without one the hook is a constant null, on which compiled
 * code spends nothing.
 */
public enum Step {

    // Connect.

    /** Client, the program's thread: TCP is connected. */
    CONNECTED,
    /** Server, the program's thread: TCP has accepted a connection, of which no other part of JFS knows yet. */
    ACCEPTED,

    // Offer and proof. All but the first step are on the negotiation's thread.

    /** Client, the program's thread: the connection has become worth an offer. */
    OFFER_DUE,
    /** Client: the negotiation is connected to the listener's name. */
    NAME_CONNECTED,
    /** The end that makes a segment (the client; behind a card both): the segment is made, and not mapped yet. */
    SEGMENT_CREATED,
    /** Both: the segment is mapped. */
    SEGMENT_MAPPED,
    /** The end that has made a segment: the segment is laid out and a peer may connect to it. */
    SEGMENT_AVAILABLE,
    /** Client: the offer is sent. */
    OFFER_SENT,
    /** Server: a client that is allowed to has connected to the name (between hosts: to the port). */
    VISITOR_ADMITTED,
    /** Server: the offer is received. */
    OFFER_RECEIVED,
    /** Server: the accepted socket with the offer's 4-tuple is found. */
    TUPLE_FOUND,
    /** The end that did not make a segment (the server; behind a card both): it is connected to the segment. */
    SEGMENT_CONNECTED,
    /** Server: the segment holds the nonce that was offered. */
    NONCE_PROVED,
    /** Both: the socket has its path. The server answers afterwards. */
    ATTACHED,
    /** Server: the answer is sent. */
    ANSWER_SENT,
    /** Client: the answer is received. */
    ANSWER_RECEIVED,
    /** Client: this end is connected to the peer's doorbell. The path can be attached. */
    OFFER_COMPLETED,

    // Switch.

    /** Reader: READY is published. */
    READY_PUBLISHED,
    /** Writer: the switch and its count are published. */
    SWITCH_PUBLISHED,
    /** Reader: TCP is drained to the count. */
    SWITCH_COMPLETED,

    // Transfer.

    /** Writer: a record is in the ring, but its header is not. */
    RECORD_WRITTEN,
    /** Writer: the record's header is in the ring too. A sleeping peer has not been rung for it. */
    RECORD_PUBLISHED,
    /** Reader: consumed lines are given back. A writer that waits for them has not been rung. */
    HEAD_PUBLISHED,
    /** Writer: the ring has stayed full, and bytes are in the overflow ring. The reader does not look there yet. */
    SPILL_WRITTEN,
    /** Writer: the ring says that the stream goes on in the overflow ring. */
    SPILL_PUBLISHED,
    /** Writer: the overflow ring is drained, and the stream goes on in the ring. */
    SPILL_ENDED,
    /** Reader: it has announced that it sleeps, and does not sleep yet. */
    READER_ASLEEP,
    /** Reader: it has slept, or was about to sleep, and has not looked for news since. */
    READER_AWAKE,
    /** Writer: it has announced that it sleeps, and does not sleep yet. */
    WRITER_ASLEEP,

    // Half-close.

    /** The thread that calls shutdownOutput: no more bytes will be written. The peer can't know that yet. */
    OUTPUT_SHUT,
    /** In shutdownOutput or close: the end of the stream is published in the path, and not yet by TCP. */
    END_PUBLISHED,
    /** In shutdownOutput: TCP's output is shut too. */
    TCP_OUTPUT_SHUT,

    // Close.

    /** The thread that calls close: the socket is marked closed. Neither TCP nor the path has been touched. */
    CLOSING,
    /** TCP is closed, the path is still there. */
    TCP_CLOSED,
    /** The peer's writer is told that this end will not read any more. */
    RECEIVER_CLOSED,
    /** Neither a reader nor a writer of this end will use the path any more. */
    HALVES_RETIRED,
    /** The path's resources of this end are freed: mapping, segment, doorbells. Between hosts its channel may live on (END-5). */
    FREED,

    // Between hosts only: offer and proof. First on the negotiation's thread, then on a helper thread, for what a peer may delay.

    /** Server: it has proved to the client that it has the key, and waits for the offer. */
    CHALLENGE_SENT,
    /** Client: the server has proved that it has the key. The offer can be made. */
    PEER_PROVED,
    /** Both: this end has compared what the peer has received with what it has sent itself, and has answered the peer. */
    OPENING_COMPARED,
    /** Both: this end is connected to the peer's endpoint, and has sent nothing to it. */
    ENDPOINT_CONNECTED,
    /** Both: the greeting with the nonce is sent. The path can be attached. */
    GREETING_SENT,

    // Between hosts only: messages.

    /**
     * The thread that looks for messages: one is taken in. It is not answered, and no other thread knows of it yet. The first message is
     * the greeting.
     */
    MESSAGE_RECEIVED,
    /** Writer: the channel has taken bytes, into messages under way or messages being filled. The first says that the stream switches. */
    DATA_SENT,
    /** Reader: the peer is told that bytes were taken. */
    CREDIT_TOLD,
    /** The thread that learns that the peer has all that was sent, or won't read it: the closed socket's channel is forgotten. */
    CHANNEL_FORGOTTEN;

    /**
     * Holds the hook apart from the steps, which the hook's class needs. So two threads do not wait for each other if one uses a step first
     * and the other one the hook's class.
     */
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
