package jfs.mx;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import jfs.steps.Step;

/**
 * One end of a connection as messages of an endpoint: two streams of bytes, one each way, and what the ends tell each other about
 * them ({@link Kind} draws the messages). {@link Inbound} and {@link Outbound} are its two directions. This class is what the
 * program sees of both, and how they end.
 *
 * <p>CHANNEL-1. The messages of one end are numbered and taken in that order. MX matches them in order, but long ones may
 * complete late. So no message is sent that is {@value Outbound#SPAN_MAX} places or more behind one that is still under way. The
 * receiver has to keep that many at most.
 * <br>CHANNEL-2. The first message has the nonce that the ends have agreed on, and all messages come from the endpoint that was
 * connected to (CHANNEL-7).
 * <br>CHANNEL-3. Bytes that the receiving program has not taken are at most {@link #WINDOW}: the sender counts what it sends, and
 * the receiver tells what was taken, as a total. So no process's buffers grow without end, and a writer blocks no earlier than
 * over TCP (SWITCH-3).
 * <br>CHANNEL-4. A message is sent at once as long as fewer than {@value Outbound#UNDER_WAY_MAX} are under way. What is written
 * meanwhile gathers in as few messages as it takes. TCP does the same with TCP_NODELAY. Without that option TCP waits for the
 * peer before it sends a second small segment. That spares a slow line, and would only cost time here.
 * <br>CHANNEL-5. Nothing that was sent is forgotten. The channel of a closed connection lives on until the peer has all of it, or
 * has said that it won't read it, is gone, or has been silent for a minute (END-5). An end that has failed says at its own close
 * that it reads no more. If its stream has never left TCP, it also says that the stream ends there. So its peer's end is over
 * too. The failed end can't say so where the library has failed to deliver a message, or takes none: the peer takes nothing that
 * comes behind a message's empty place. Then the peer's end is kept.
 * <br>CHANNEL-6. Only a peer that has greeted is told that a receiver is ready. So if no peer has greeted, no bytes come, and no
 * thread waits for them.
 *
 * <p>Thread-safe, with one thread at a time that receives and one that sends. Only {@link #connect} and {@link #awaitDelivered}
 * block, and {@link #send} while the JVM ends.
 */
public final class MxChannel {

    /** After each such number of bytes taken the receiver tells its peer the total. */
    private static final int CREDIT_STEP = 256 << 10;
    /** Least permitted value of a peer's longest message, bytes. */
    public static final int MESSAGE_MIN = 1 << 10;
    /** Unread bytes that a receiver takes: what loopback TCP takes with no reader, and taken bytes that the sender may not know of yet. */
    public static final int WINDOW = (4 << 20) + CREDIT_STEP;

    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** How often an abandoned channel, which waits for the peer to confirm the end, checks whether the peer lives. */
    private static final long BETWEEN_SIGNS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long EXIT_WRITE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String VIOLATION = "The peer broke the protocol of MX messages: ";
    private static final String RESET = "Connection reset";
    /** The JDK gives a writer the system's own text. */
    private static final String RESET_OF_WRITER = "Connection reset by peer";
    static final String NO_MEMORY = "out of memory for MX messages";

    /** Is told of news by the thread that finds them. Must not block. */
    public interface Listener {
        void readerNews();

        void writerNews();
    }

    /** What the peer needs to know to connect: the address of this end and what it takes. */
    public record Description(MxEndpoint.Address address, int number, int messageMax, int window) {
    }

    private final MxEndpoint endpoint;
    private final int number;
    private final long nonce;
    private final Outbound outbound;
    private final Inbound inbound;
    private volatile Listener listener;
    private volatile long lastHeard;
    /** Bytes that had been sent at {@code lastHeard}. */
    private volatile long sentWhenHeard;
    private volatile long lastSign;
    private volatile boolean abandoned;
    /** The first failure counts. Of two at the same time either may count. */
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

    /** To be called before {@link #connect}. Without a listener no thread is told of news. */
    public void listener(Listener it) {
        listener = it;
    }

    /**
     * Connects to the peer's end and greets it. Blocks for at most a second.
     *
     * @throws IOException if that fails; then the peer's end has heard nothing of this one
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
        return receive(into, null, offset, length);
    }

    /** Takes bytes that have come, into the buffer's remaining bytes, and moves its position. @return how many, 0 if there are none */
    public int receive(ByteBuffer into) {
        int n = receive(null, into, into.position(), into.remaining());
        into.position(into.position() + n);
        return n;
    }

    private int receive(byte[] into, ByteBuffer buffer, int offset, int length) {
        int n = inbound.receive(into, buffer, offset, length);
        received(n);
        return n;
    }

    /** The bytes where they lie, without a copy. For the two threads that use this channel, which share it. */
    public InPlace inPlace() {
        return new InPlace(this, inbound, outbound);
    }

    /** The program has taken so many bytes. */
    void received(int n) {
        if (n > 0 && outbound.untold(inbound.consumed()) >= CREDIT_STEP) {
            tellReceiver();
            Step.CREDIT_TOLD.reached();
        }
    }

    long consumed() {
        return inbound.consumed();
    }

    /** How many bytes of the peer's stream went over TCP before; -1 if it has not switched. */
    public long switchedAt() {
        return inbound.switchedAt();
    }

    /** Whether the peer's stream has ended; bytes that are {@link #available} come before that. */
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

    /** TCP has ended. Asks the peer whether its stream ends there too; {@link #endsWithTcp} has the answer. */
    public void askWhetherEnded() {
        outbound.post(Kind.ASK);
    }

    /** Whether the peer has said that its stream was on TCP and is over with TCP. */
    public boolean endsWithTcp() {
        return inbound.peerTcpOnly();
    }

    /** Whether the peer has greeted, so that it has its end of this connection. Otherwise it has never sent anything. */
    public boolean greeted() {
        return inbound.greeted();
    }

    /** Whether the peer may send its stream here: the peer has its end, and was told that this end is ready (CHANNEL-6). */
    public boolean mayBeSentTo() {
        return outbound.readyTold();
    }

    /**
     * Tells the peer's writer the state of this end's receiver. {@code ready} and {@code closed} stay true once they are, until
     * {@link #abandon}, which tells {@code closed} alone. Bytes that are unread when the receiver is closed stay {@link
     * #available}: the code that closes the socket goes by that (END-2).
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
     * A message has come. Called by the thread that looks, and for messages that came before the peer was known, by the thread
     * that connects.
     *
     * @return whether the message was for this channel; then its buffer belongs to the channel
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

    /** Whether {@link #send} would take something. */
    public boolean hasRoom() {
        return outbound.hasRoom();
    }

    public boolean peerReady() {
        return outbound.peerIs(Kind.READY);
    }

    public boolean peerTakesUrgent() {
        return outbound.peerIs(Kind.TAKES_URGENT);
    }

    /** Whether the peer's receiver is closed, so that the peer will not read what is sent. */
    public boolean peerClosed() {
        return outbound.peerIs(Kind.CLOSED);
    }

    /** The first {@code count} bytes of the stream went over TCP; what is sent from now on is the rest. To be called once. */
    public void switchAt(long count) {
        outbound.switchAt(count);
    }

    /** Whether {@link #switchAt} was called. */
    public boolean switched() {
        return outbound.switched();
    }

    /** Takes bytes as far as there is room. While the JVM ends this waits until the peer has them, for at most a second. */
    public int send(byte[] bytes, int offset, int length) throws SocketException {
        return send(bytes, null, offset, length);
    }

    /** As {@link #send(byte[], int, int)}, of the buffer's remaining bytes, and moves its position. */
    public int send(ByteBuffer from) throws SocketException {
        int taken = send(null, from, from.position(), from.remaining());
        from.position(from.position() + taken);
        return taken;
    }

    private int send(byte[] bytes, ByteBuffer buffer, int offset, int length) throws SocketException {
        int taken = outbound.send(bytes, buffer, offset, length);
        sent(taken);
        return taken;
    }

    /** So many bytes of the program were taken. */
    void sent(int taken) throws SocketException {
        if (failed()) {
            tellOfFailure();
            throw failure(RESET_OF_WRITER);
        }
        Step.DATA_SENT.reached();
        if (taken > 0 && endpoint.isExiting()) {
            exit();
            endpoint.flush(this, System.nanoTime() + EXIT_WRITE_NANOS);
        }
    }

    /** No more bytes will be sent. The first call counts. */
    public void finish(boolean reset) {
        outbound.finish(reset);
        settle();
        tellOfFailure();
    }

    /** Tries again to send what the library had no resources for. */
    void retrySends() {
        if (outbound.retry()) {
            tellOfFailure();
        }
    }

    /** Called when the JVM ends. */
    void exit() {
        outbound.exit();
    }

    /** A send has completed. Called by the thread that looks. */
    void sent(MessageBuffer message, int status) {
        boolean last = outbound.sent(message, status);
        if (failed() || last) {
            settle();
        }
        if (failed()) {
            tell(true, true);
        }
    }

    /**
     * Whether the peer's last message was found less than that time ago, and no later one of the peer is known to be near: not while a
     * thread hands on messages, and not after the end of the peer's stream, which a close follows at once (END-1).
     */
    public boolean heardWithin(long nanos) {
        return !endpoint.isLooking() && !ended() && endpoint.now() - lastHeard < nanos; // in this order: what a look has found counts
    }

    /** When the peer's last message was found, a {@link MxEndpoint#now}. */
    public long lastHeard() {
        return lastHeard;
    }

    /** Whether bytes were sent since the peer's last message was found. */
    public boolean isUnanswered() {
        return outbound.sent() != sentWhenHeard;
    }

    /**
     * Called now and then by a thread that waits for the peer. Sends a message if none is under way: otherwise nothing would show
     * that the peer is dead.
     */
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

    /** Null if the channel has not failed. */
    public String whyFailed() {
        return failure;
    }

    /** Whether bytes that the peer has sent here, or will send, are lost. */
    public boolean isCutOff() {
        return failed() && !peerExits() && mayBeSentTo();
    }

    /** What a reader of a failed channel is to be told. */
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

    /** Does not tell the listener, because the caller may hold a lock. The code that called the locked method tells it afterwards. */
    void setFailure(String why) {
        failure = failure == null ? why : failure;
    }

    void violated(String what) {
        setFailure(VIOLATION + what);
    }

    /** A message from that source has come, and its bytes could not be received. */
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

    /** Called after each step in which the channel may have failed. */
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

    /** Called after each step that may have been the channel's last one. */
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
     * Waits until the peer has confirmed the end, and so all that was sent, or never will, but no longer than until the deadline,
     * a {@link System#nanoTime}. An interrupt does not end the wait, and its status is kept.
     */
    public void awaitDelivered(long deadline) {
        endpoint.flush(this, deadline);
    }

    /** The program will not use the channel any more. The channel ends when the peer has all of it (CHANNEL-5). */
    public void abandon() {
        finish(false);
        tellReceiver(false, false, true);
        inbound.dropUnread();
        outbound.endClaims();
        lastHeard = endpoint.now();
        lastSign = lastHeard;
        abandoned = true;
        settle();
        if (endpoint.knows(this)) {
            endpoint.linger(this);
            settle(); // the channel may have ended before linger was called
        }
    }

    /**
     * Called now and then for an abandoned channel. The peer's end may have failed in a way that it can't tell (CHANNEL-5), or
     * its host may have vanished without a message. TCP is no help. Its connection is closed at this end. Before that, TCP's end
     * or reset may have overtaken the peer's ARRIVED, or may have come from a middlebox while the peer still reads. So only time
     * distinguishes such a peer from a slow one (END-5).
     *
     * @param now the present time or a little before: all messages that had come by then were seen
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
        if (stuck) { // the peer does not even take messages: this ends those under way
            endpoint.disconnect(outbound.peer());
        }
    }
}
