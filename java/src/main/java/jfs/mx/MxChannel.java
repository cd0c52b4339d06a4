package jfs.mx;

import java.io.IOException;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import jfs.steps.Step;

/**
 * One end of a connection as messages of an endpoint: two streams of bytes, one each way, and what the ends tell each other
 * about them ({@link Kind} draws the messages). {@link Inbound} and {@link Outbound} are its two directions; this is what
 * the program sees of both, and how they end.
 *
 * <p>CHANNEL-1. Messages of one end are numbered and taken in that order; MX matches them in order, but long ones may complete late. So
 * none is sent that is {@value Outbound#SPAN_MAX} places or more behind one that is still under way: that is how many the receiver has to
 * keep.
 * <br>CHANNEL-2. The first one has the nonce that the ends have agreed on, and all come from the endpoint that was connected to
 * (CHANNEL-7).
 * <br>CHANNEL-3. Bytes that the receiving program has not taken are at most {@link #WINDOW}: the sender counts what it sends, the
 * receiver tells what was taken, as a total. So nobody's buffers grow without end, and a writer blocks no earlier than over
 * TCP (SWITCH-3).
 * <br>CHANNEL-4. A message is sent at once as long as less than {@value Outbound#UNDER_WAY_MAX} are under way; what is written meanwhile
 * gathers in as few messages as it takes. That is what TCP makes of TCP_NODELAY. Without that option it would wait for the
 * peer before it sends a second small segment, which spares a slow line and would only cost time here.
 * <br>CHANNEL-5. Nothing is forgotten that was sent: the channel of a closed connection lives on until the peer has all of it, or
 * has said that it won't read it, is gone, or has been silent for a minute (END-5).
 * An end that has failed says at its own close that it reads no more, and if its stream has never left TCP, that it ends
 * there: so its peer's is over too. It can't where the library has failed to bring a message, or takes none, for nothing is
 * taken that comes behind a message's empty place: then its peer's end is kept.
 * <br>CHANNEL-6. A receiver is told of as ready only to a peer that has greeted. So where none has, nothing comes, and nobody waits for it.
 *
 * <p>Thread-safe, with one thread at a time that receives and one that sends. Nothing blocks but {@link #connect}, and
 * {@link #send} while the JVM ends.
 */
public final class MxChannel {

    /** Told so often, bytes. */
    private static final int CREDIT_STEP = 256 << 10;
    /** The longest message may not be shorter, bytes. */
    public static final int MESSAGE_MIN = 1 << 10;
    /** Unread bytes that a receiver takes: what loopback TCP takes with no reader, and what it may not know of yet. */
    public static final int WINDOW = (4 << 20) + CREDIT_STEP;

    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** How often who waits for the peer to confirm the end looks whether it lives. */
    private static final long BETWEEN_SIGNS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long EXIT_WRITE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String VIOLATION = "The peer broke the protocol of MX messages: ";
    private static final String RESET = "Connection reset";
    /** The JDK gives a writer the system's own words. */
    private static final String RESET_OF_WRITER = "Connection reset by peer";
    static final String NO_MEMORY = "there is no memory for messages";

    /** Hears that there is something new, in whichever thread finds it; must not block. */
    public interface Listener {
        void readerNews();

        void writerNews();
    }

    /** What the peer needs to know to connect: who we are and what we take. */
    public record Description(MxEndpoint.Address address, int number, int messageMax, int window) {
    }

    private final MxEndpoint endpoint;
    private final int number;
    private final long nonce;
    private final Outbound outbound;
    private final Inbound inbound;
    private volatile Listener listener;
    private volatile long lastHeard;
    /** Bytes that had been sent by then. */
    private volatile long sentWhenHeard;
    private volatile long lastSign;
    private volatile boolean abandoned;
    /** The first one counts; of two at once either. */
    private volatile String failure;

    MxChannel(MxEndpoint endpoint, int number, long nonce) {
        this.endpoint = endpoint;
        this.number = number;
        this.nonce = nonce;
        this.lastHeard = endpoint.now();
        this.outbound = new Outbound(this);
        this.inbound = new Inbound(this, outbound, nonce);
    }

    public MxEndpoint endpoint() {
        return endpoint;
    }

    int number() {
        return number;
    }

    public Description description() {
        return new Description(endpoint.address(), number, endpoint.messageMax(), WINDOW);
    }

    /** Before {@link #connect}; without one nobody is told. */
    public void listener(Listener it) {
        listener = it;
    }

    /**
     * Reaches the peer's end and greets it. Blocks for at most a second.
     *
     * @throws IOException if it can't; the peer's end has heard nothing of this one then
     */
    public void connect(Description other) throws IOException {
        MxEndpoint.Peer found = endpoint.connect(other.address);
        Step.ENDPOINT_CONNECTED.reached();
        outbound.connect(found, other, nonce);
        if (failed()) {
            throw new MxException(failure);
        }
        inbound.knows(found);
    }

    // Receiving.

    /** How many bytes can be taken now. */
    public int available() {
        return inbound.available();
    }

    /** Takes bytes that have come. @return how many, 0 if there are none */
    public int receive(byte[] into, int offset, int length) {
        int n = inbound.receive(into, offset, length);
        if (n > 0 && outbound.untold(inbound.consumed()) >= CREDIT_STEP) {
            tellReceiver();
            Step.CREDIT_TOLD.reached();
        }
        return n;
    }

    long consumed() {
        return inbound.consumed();
    }

    /** How many bytes of the stream went over TCP before; -1 if it hasn't switched. */
    public long switchedAt() {
        return inbound.switchedAt();
    }

    /** Whether the stream has ended; what is {@link #available} comes before that. */
    public boolean ended() {
        return inbound.end() != null;
    }

    public boolean endedByReset() {
        return inbound.end() == Kind.RESET;
    }

    /** Whether the peer's process is ending and has nothing more to send. */
    public boolean peerExits() {
        return inbound.peerExits();
    }

    /** TCP has ended: asks the peer whether that is the stream's end, which {@link #endsWithTcp} has the answer to. */
    public void askWhetherEnded() {
        outbound.post(Kind.ASK);
    }

    /** Whether the peer has said that its stream is over with TCP, on which it was. */
    public boolean endsWithTcp() {
        return inbound.peerTcpOnly();
    }

    /** Whether the peer has its end of this: else it has never sent anything. */
    public boolean greeted() {
        return inbound.greeted();
    }

    /** Whether the peer may send its stream here: it has its end, and has been told that this one is ready (CHANNEL-6). */
    public boolean mayBeSentTo() {
        return outbound.readyTold();
    }

    /**
     * What the peer's writer is to know of this end's receiver: each true one stays so but for {@code takesUrgent}. What is
     * unread when it is closed stays {@link #available}: whoever closes the socket goes by that (END-2).
     */
    public void tellReceiver(boolean ready, boolean takesUrgent, boolean closed) {
        outbound.setReceiver(ready, takesUrgent, closed);
        tellReceiver();
    }

    private void tellReceiver() {
        outbound.tellReceiver();
        tellOfFailure();
    }

    /**
     * A message has come. By who looks, or by who connects: one at a time.
     *
     * @return whether it was for this channel; then the buffer is this one's
     */
    boolean arrived(MessageBuffer message, long match, long nic, int id, int session) {
        boolean known = greeted();
        Inbound.Outcome outcome = inbound.arrived(message, match, nic, id, session);
        if (outcome.isNews()) {
            sentWhenHeard = outbound.sent();
            lastHeard = endpoint.now();
            Step.MESSAGE_RECEIVED.reached();
            if (greeted() && !known && outbound.hasReceiverNews()) {
                tellReceiver(); // (CHANNEL-6)
            }
            outcome.answers().forEach(outbound::answer);
            settle();
            tell(outcome.forReader(), outcome.forWriter() || failed());
        }
        return outcome.kept();
    }

    // Sending.

    /** Whether {@link #send} takes something. */
    public boolean hasRoom() {
        return outbound.hasRoom();
    }

    public boolean peerReady() {
        return outbound.peerIs(Kind.READY);
    }

    public boolean peerTakesUrgent() {
        return outbound.peerIs(Kind.TAKES_URGENT);
    }

    /** Whether the peer's receiver is closed: nobody will read what is sent. */
    public boolean peerClosed() {
        return outbound.peerIs(Kind.CLOSED);
    }

    /** The stream went over TCP until here; what is sent from now on is the rest. Once. */
    public void switchAt(long count) {
        outbound.switchAt(count);
    }

    /** Whether {@link #switchAt} was called. */
    public boolean switched() {
        return outbound.switched();
    }

    /** Takes bytes as far as there is room. While the JVM ends it waits until the peer has them, for at most a second. */
    public int send(byte[] bytes, int offset, int length) throws SocketException {
        int taken = outbound.send(bytes, offset, length);
        if (failed()) {
            tellOfFailure();
            throw failure(RESET_OF_WRITER);
        }
        Step.DATA_SENT.reached();
        if (taken > 0 && endpoint.isExiting()) {
            exit();
            endpoint.flush(this, System.nanoTime() + EXIT_WRITE_NANOS);
        }
        return taken;
    }

    /** No more bytes will be sent. The first one counts. */
    public void finish(boolean reset) {
        outbound.finish(reset);
        settle();
        tellOfFailure();
    }

    /** What the library had no means for, it may have now. */
    void retrySends() {
        if (outbound.retry()) {
            tellOfFailure();
        }
    }

    /** The JVM ends. */
    void exit() {
        outbound.exit();
    }

    /** A send has completed. By who looks. */
    void sent(MessageBuffer message, int status) {
        boolean last = outbound.sent(message, status);
        if (failed() || last) {
            settle();
        }
        if (failed()) {
            tell(true, true);
        }
    }

    /** Whether the last message of the peer's was found so short a time ago. */
    public boolean heardWithin(long nanos) {
        return endpoint.now() - lastHeard < nanos;
    }

    /** When the last message of the peer's was found: its {@link MxEndpoint#now}. */
    public long lastHeard() {
        return lastHeard;
    }

    /** Whether bytes were sent since then. */
    public boolean isUnanswered() {
        return outbound.sent() != sentWhenHeard;
    }

    /** Who waits for the peer, now and then: without a message under way nothing would tell it that the peer is dead. */
    public void lookForPeer() {
        if (outbound.isIdle()) {
            tellReceiver();
        }
    }

    // Failing.

    /** Whether messages can't be sent or understood any more. */
    public boolean failed() {
        return failure != null;
    }

    /** Null: it hasn't. */
    public String whyFailed() {
        return failure;
    }

    /** Whether what the peer has sent here, or will, is lost. */
    public boolean isCutOff() {
        return failed() && !peerExits() && mayBeSentTo();
    }

    /** What a reader is to be told then. */
    public SocketException failure() {
        return failure(RESET);
    }

    private SocketException failure(String asOfTcp) {
        String why = failure;
        if (why.startsWith(VIOLATION)) {
            return new SocketException(why);
        }
        SocketException reset = new SocketException(asOfTcp);
        reset.initCause(new MxException(why));
        return reset;
    }

    /** With locks held: who calls the one that holds them goes on to tell. */
    void setFailure(String why) {
        failure = failure == null ? why : failure;
    }

    void violated(String what) {
        setFailure(VIOLATION + what);
    }

    /** A message has come from there, and its bytes could not be received. */
    void lost(long nic, int id, int session, String why) {
        if (inbound.lost(nic, id, session, why)) {
            fail(why);
        }
    }

    void fail(String why) {
        setFailure(why);
        tellOfFailure();
    }

    /** The endpoint is being closed: nothing is sent from here on. */
    void silence() {
        fail("the MX endpoint was closed");
        outbound.silence();
    }

    /** After anything that may have failed. */
    private void tellOfFailure() {
        if (failed()) {
            settle();
            tell(true, true);
        }
    }

    private void tell(boolean reader, boolean writer) {
        Listener it = listener;
        if (it != null && reader) {
            it.readerNews();
        }
        if (it != null && writer) {
            it.writerNews();
        }
    }

    // Ending.

    /** After anything that may have been the last. */
    private void settle() {
        boolean over = outbound.settle();
        if (over && abandoned) {
            endpoint.forget(this);
            inbound.forget();
            outbound.forget();
            Step.CHANNEL_FORGOTTEN.reached();
        }
    }

    /** Whether the peer has all that was sent, or will never have it. */
    boolean isFlushed() {
        return outbound.isOver();
    }

    /**
     * Waits until the peer has confirmed the end, and so all that was sent, or won't; no longer than until the deadline, a {@link
     * System#nanoTime}. An interrupt stays, but doesn't end it.
     */
    public void awaitDelivered(long deadline) {
        endpoint.flush(this, deadline);
    }

    /** Nobody will use it any more. It ends when the peer has all of it (CHANNEL-5). */
    public void abandon() {
        finish(false);
        tellReceiver(false, false, true);
        inbound.dropUnread();
        lastHeard = endpoint.now();
        lastSign = lastHeard;
        abandoned = true;
        settle();
        if (endpoint.knows(this)) {
            endpoint.linger(this);
            settle(); // it may have been over just now
        }
    }

    /**
     * Looked at now and then when it was abandoned. The peer's end may have failed in a way that it can't tell (CHANNEL-5), or its
     * host have gone without a word. TCP is no help: its connection is closed here, and its end or reset before that may have
     * overtaken the peer's ARRIVED, or come from a middlebox while the peer still reads. So only time tells such a peer from a
     * slow one (END-5).
     *
     * @param now or a little before: all that had come by then was seen
     */
    void giveUpIfSilent(long now) {
        if (now - lastSign >= BETWEEN_SIGNS_NANOS) {
            lastSign = now;
            lookForPeer();
        }
        if (now - lastHeard < SILENCE_NANOS) {
            return;
        }
        boolean stuck = !outbound.isIdle();
        fail("the peer has been silent for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS) + " s");
        if (stuck) { // it doesn't even take messages: what of it is under way ends so
            endpoint.disconnect(outbound.peer());
        }
    }
}
