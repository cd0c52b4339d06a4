package jfs.mx;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Mx;
import jfs.spi.Claim;

/**
 * The outgoing direction of a channel. It gathers bytes in messages, sends what may be sent, counts what is under way, and keeps
 * what the peer has said about all that. Its lock is held while a message is started, never while a thread waits for one.
 */
final class Outbound {

    /** Most places from the oldest message under way to the newest. The messages between may have come, and wait for the oldest. */
    static final int SPAN_MAX = Long.SIZE;

    static final int UNDER_WAY_MAX = 16;
    /**
     * Most messages that may wait to be sent first when an answer is added. A peer that asks more without taking the answers
     * breaks the protocol.
     */
    private static final int ANSWERS_MAX = 64;
    /** How long the library may lack the resources for a send, which all its senders share, before the channel fails. */
    private static final long STARVING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final MxChannel channel;
    private final MxEndpoint endpoint;

    // What the peer has said. Written under Inbound's lock.
    private volatile int confirmed;
    private volatile long peerConsumed;
    private volatile long peerFlags;

    // Guarded by this. Other threads read the volatile fields without the lock.
    /** The peer's endpoint; null until it is known. */
    private MxEndpoint.Peer to;
    private int peerNumber;
    private int messageMax;
    private long window;
    private int next;
    /** Messages that are sent first: the greeting, news of the receiving half, questions, answers. */
    private final Deque<MessageBuffer> urgent = new ArrayDeque<>();
    private final Deque<MessageBuffer> outbox = new ArrayDeque<>();
    /** A message that the program fills, of DATA; null before the first claim. And {@link #sent} at the last claim, or -1. */
    private MessageBuffer claimed;
    private long claimedAt = -1;
    private int underWay;
    /** Since when the library lacks the resources for a send although none is under way; 0: it does not. */
    private volatile long starvingSince;
    /** The sequence of the oldest message under way, and which of the {@link #SPAN_MAX} messages from there on have completed, as bits. */
    private int oldest;
    private long done;
    private volatile long sent;
    private volatile long toldConsumed;
    private volatile long flags;
    /** Whether the RECEIVER that waits to be sent has the flag READY. */
    private boolean tellsReady;
    private boolean readyTold;
    private volatile boolean switched;
    /** The count that the next {@link Kind#FIRST} has to carry, or -1. */
    private long pendingSwitch = -1;
    private boolean finished;
    private boolean greetingSent;
    /** Whether the failure of the channel was seen: what was to be sent is dropped. */
    private boolean stopped;
    /** Whether no message may be sent any more: one may have been lost, and the peer takes none behind it. */
    private boolean mute;
    /** How many ENDs, RESETs and EXITs were queued; the peer has {@link #confirmed} some. */
    private int asked;

    Outbound(MxChannel channel) {
        this.channel = channel;
        this.endpoint = channel.endpoint();
    }

    /** Queues the greeting and sends it if it can be sent now. */
    synchronized void connect(MxEndpoint.Peer peer, MxChannel.Description its, long nonce) {
        to = peer;
        peerNumber = its.number();
        messageMax = Math.min(its.messageMax(), endpoint.messageMax());
        // otherwise a peer that never reads could make this process keep any number of bytes
        window = Math.min(its.window(), MxChannel.WINDOW);
        MessageBuffer hello = newMessage(Kind.HELLO); // before anything else (CHANNEL-2)
        hello.putLong(nonce);
        urgent.add(hello);
        pump();
    }

    MxEndpoint.Peer peer() {
        return to;
    }

    // What the peer says. All methods but peerIs are called under Inbound's lock.

    boolean mayBeConsumed(long told) {
        return told >= peerConsumed && told <= sent;
    }

    void peerSays(long consumed, long receiverFlags) {
        peerFlags = receiverFlags;
        peerConsumed = consumed;
    }

    void isConfirmed() {
        confirmed++;
    }

    /** @param flag {@link Kind#READY} and so on */
    boolean peerIs(long flag) {
        return (peerFlags & flag) != 0;
    }

    // What the peer's writer is told of this end's receiver.

    boolean receiverIsClosed() {
        return (flags & Kind.CLOSED) != 0;
    }

    /** Whether the peer is to be told more than totals. */
    boolean hasReceiverNews() {
        return flags != 0;
    }

    /**
     * Takes the lock: while the message with READY is being sent, the peer's answer, even its whole stream, may come before the
     * field is set.
     */
    synchronized boolean readyTold() {
        return readyTold;
    }

    /** How many bytes were taken of which the peer has not been told. */
    long untold(long consumed) {
        return consumed - toldConsumed;
    }

    synchronized void setReceiver(boolean ready, boolean takesUrgent, boolean closed) {
        flags = (ready ? Kind.READY : 0) | (takesUrgent ? Kind.TAKES_URGENT : 0) | (closed ? Kind.CLOSED : 0);
    }

    synchronized void tellReceiver() {
        toldConsumed = channel.consumed();
        stopIfFailed();
        MessageBuffer message = maySay(Kind.RECEIVER) ? unsentReceiver() : null;
        if (message != null) {
            long told = stopped ? flags & Kind.CLOSED : channel.greeted() ? flags : flags & ~Kind.READY;
            tellsReady = (told & Kind.READY) != 0;
            message.start = message.end = 0;
            message.putLong(toldConsumed);
            message.putLong(told);
            pump();
        }
    }

    /**
     * Called under the lock. Gives the RECEIVER that still waits to be sent, whose content is then replaced, or a new one; null:
     * there is no memory.
     */
    private MessageBuffer unsentReceiver() {
        for (MessageBuffer message : urgent) {
            if (message.kind == Kind.RECEIVER) {
                return message;
            }
        }
        MessageBuffer message = newNote(Kind.RECEIVER);
        if (message != null) {
            urgent.add(message);
        }
        return message;
    }

    // The stream.

    boolean hasRoom() {
        return sent - peerConsumed < window;
    }

    long sent() {
        return sent;
    }

    boolean switched() {
        return switched;
    }

    synchronized void switchAt(long count) {
        switched = true;
        pendingSwitch = count;
    }

    /**
     * Takes bytes as far as there is room; none after the stream's end, which another thread may have sent by a close meanwhile.
     *
     * @param bytes where they are; if null, they are in {@code buffer}, whose position does not count
     * @return how many
     */
    synchronized int send(byte[] bytes, ByteBuffer buffer, int offset, int length) {
        return channel.failed() || finished ? 0 : gather(bytes, buffer, offset, (int) Math.min(length, window - (sent - peerConsumed)));
    }

    private int gather(byte[] bytes, ByteBuffer buffer, int offset, int length) {
        int taken = 0;
        while (taken < length) {
            MessageBuffer last = outbox.peekLast();
            if (last == null || !last.kind.isData() || last.end >= messageMax) {
                try {
                    last = newDataMessage();
                } catch (OutOfMemoryError e) { // memory outside of the heap is used up: what was taken is sent
                    if (taken == 0) {
                        throw e;
                    }
                    return taken;
                }
                outbox.add(last);
            }
            int part = Math.min(length - taken, messageMax - last.end);
            if (bytes != null) {
                last.put(bytes, offset + taken, part);
            } else {
                last.put(buffer, offset + taken, part);
            }
            sent += part;
            taken += part;
            pump();
        }
        return taken;
    }

    /** Shows memory for the next bytes. @return false if there is none for so many bytes, or the next message is {@link Kind#FIRST} */
    synchronized boolean claim(Claim into, int least, int most) {
        int length = (int) Math.min(Math.min(most, messageMax), window - (sent - peerConsumed));
        if (length < least || pendingSwitch >= 0 || finished || channel.failed()) {
            return false;
        }
        claimed = claimed == null ? newMessage(Kind.DATA) : claimed;
        claimedAt = sent;
        into.set(claimed.inNativeOrder, 0, length);
        return true;
    }

    /** Sends the first bytes of the memory that was shown. Few bytes are gathered in a message that waits, as others (CHANNEL-4). */
    synchronized void commit(int bytes) {
        if (sent != claimedAt) { // CLAIM-2
            throw new IllegalStateException("other bytes were sent since the claim, and have taken its place");
        }
        claimedAt = -1;
        if (channel.failed() || finished) { // a thread that closes has sent the stream's end meanwhile: the peer expects nothing behind it
            return;
        }
        claimed.start = 0;
        claimed.end = bytes;
        MessageBuffer last = outbox.peekLast();
        if (last != null && last.kind.isData() && last.end + bytes <= messageMax) {
            last.put(claimed);
        } else {
            outbox.add(claimed);
            claimed = null;
        }
        sent += bytes;
        pump();
    }

    /** The program claims no memory any more. */
    synchronized void endClaims() {
        if (claimed != null) {
            endpoint.buffers().give(claimed);
            claimed = null;
        }
    }

    private MessageBuffer newDataMessage() {
        MessageBuffer it = newMessage(pendingSwitch < 0 ? Kind.DATA : Kind.FIRST);
        if (pendingSwitch >= 0) {
            it.putLong(pendingSwitch);
            pendingSwitch = -1;
        }
        return it;
    }

    private MessageBuffer newMessage(Kind kind) {
        MessageBuffer it = endpoint.buffers().take();
        it.sender = channel;
        it.kind = kind;
        return it;
    }

    /** No more bytes will be sent. The first call counts. */
    synchronized void finish(boolean reset) {
        if (!finished) {
            finished = true;
            ask(reset ? Kind.RESET : Kind.END);
        }
    }

    /** Called when the JVM ends. Sends EXIT, unless the stream has ended. */
    synchronized void exit() {
        if (!finished) {
            ask(Kind.EXIT);
        }
    }

    /** Queues a message behind what was sent, which the peer has to confirm. Called under the lock. */
    private void ask(Kind kind) {
        stopIfFailed();
        MessageBuffer message = maySay(kind) ? newNote(kind) : null;
        if (message != null) {
            asked++;
            outbox.add(message);
            pump();
        }
    }

    // Questions and answers.

    synchronized void answer(Kind kind) {
        if (urgent.size() >= ANSWERS_MAX) {
            channel.violated("more questions than it takes answers to");
        } else if (kind != Kind.TCP_ONLY || !switched) {
            post(kind);
        }
    }

    /** Sends a message before the data that waits to be sent. */
    synchronized void post(Kind kind) {
        stopIfFailed();
        MessageBuffer message = maySay(kind) ? newNote(kind) : null;
        if (message != null) {
            urgent.add(message);
            pump();
        }
    }

    /**
     * Makes a message of which the program knows nothing, so the program can't be told that there is no memory for it. In that
     * case the channel fails, because the peer would wait for the message in vain, and this returns null. Called under the lock.
     */
    private MessageBuffer newNote(Kind kind) {
        try {
            return newMessage(kind);
        } catch (OutOfMemoryError e) {
            channel.setFailure(MxChannel.NO_MEMORY);
            return null;
        }
    }

    // Messages under way. The private methods are called under the lock.

    /**
     * Whether a message of that kind may be sent. Once the channel was seen to have failed, only messages that end it at the peer
     * may (CHANNEL-5).
     */
    private boolean maySay(Kind kind) {
        if (!stopped) {
            return to != null;
        }
        return greetingSent && !mute && switch (kind) {
            case RECEIVER -> receiverIsClosed();
            case END, RESET, TCP_ONLY -> !switched; // otherwise bytes are missing before it
            default -> false;
        };
    }

    private void stopIfFailed() {
        if (!stopped && channel.failed()) {
            stopped = true;
            dropUnsent();
        }
    }

    private void pump() {
        stopIfFailed();
        while (!urgent.isEmpty() && start(urgent.peek())) {
            urgent.poll();
        }
        while (urgent.isEmpty() && !outbox.isEmpty() && (underWay < UNDER_WAY_MAX || !outbox.peek().kind.isData())
                && start(outbox.peek())) {
            outbox.poll();
        }
    }

    /** @return false if the message has to wait until another one has been sent, or for ever */
    private boolean start(MessageBuffer message) {
        if (!maySay(message.kind) || span() == SPAN_MAX) {
            return false;
        }
        message.sequence = next; // set first, because the send may be over when the call returns
        int error = endpoint.send(to, message, message.kind.match(peerNumber, next));
        if (error == Mx.OK) {
            greetingSent |= message.kind == Kind.HELLO;
            readyTold |= message.kind == Kind.RECEIVER && tellsReady;
            next = next + 1 & Kind.SEQUENCE_MASK;
            underWay++;
            starvingSince = 0;
            return true;
        }
        if (error != Mx.NO_RESOURCES || underWay == 0 && isStarved()) {
            channel.setFailure("mx_isend: " + Mx.errorText(error));
        }
        return false;
    }

    /**
     * Whether the library has lacked the resources for too long. Called when nothing of this channel is under way. Then the
     * endpoint makes the channel try again, because sends of other channels may end. A channel with a message under way tries
     * again when that completes.
     */
    private boolean isStarved() {
        long now = endpoint.now();
        starvingSince = starvingSince == 0 ? now | 1 : starvingSince;
        boolean starved = now - starvingSince >= STARVING_NANOS;
        if (!starved) {
            endpoint.retrySendsSoon();
        }
        return starved;
    }

    /** @return whether there was something to retry; if not, the lock was not taken */
    boolean retry() {
        if (starvingSince == 0) {
            return false;
        }
        synchronized (this) {
            pump();
        }
        return true;
    }

    /** The number of places from the oldest message under way to the next one. */
    private int span() {
        return next - oldest & Kind.SEQUENCE_MASK;
    }

    private void isDone(int sequence) {
        done |= 1L << (sequence - oldest & Kind.SEQUENCE_MASK);
        for (; (done & 1) != 0; done >>>= 1) {
            oldest = oldest + 1 & Kind.SEQUENCE_MASK;
        }
    }

    /** A send has completed. Called by the thread that looks. @return whether it was the last one under way */
    boolean sent(MessageBuffer message, int status) {
        boolean last;
        synchronized (this) {
            underWay--;
            isDone(message.sequence);
            if (status != Mx.STATUS_SUCCESS) {
                mute = true;
                channel.setFailure("mx_isend: " + Mx.statusText(status));
            }
            pump();
            last = underWay == 0;
        }
        endpoint.buffers().give(message);
        return last;
    }

    synchronized boolean isIdle() {
        return underWay == 0;
    }

    // Ending.

    /** Drops messages that the peer will not read. @return whether nothing is left to do once the channel is abandoned */
    synchronized boolean settle() {
        if (channel.failed() || peerIs(Kind.CLOSED) && greetingSent) { // messages that may follow the greeting need it (CHANNEL-2)
            dropUnsent();
        }
        return isOver() || !channel.greeted() && underWay == 0; // a peer that has not greeted confirms nothing
    }

    /** The endpoint is being closed, and the channel has failed. */
    synchronized void silence() {
        stopIfFailed();
        mute = true;
    }

    /** Messages that wait are not retried, and no message may be sent any more. */
    synchronized void forget() {
        stopped = true;
        mute = true;
        dropUnsent();
    }

    private void dropUnsent() {
        starvingSince = 0;
        urgent.forEach(endpoint.buffers()::give);
        urgent.clear();
        outbox.forEach(endpoint.buffers()::give);
        outbox.clear();
    }

    /** Whether the peer has all that was sent, or will never have it. */
    synchronized boolean isOver() {
        return channel.failed() || peerIs(Kind.CLOSED)
                || urgent.isEmpty() && outbox.isEmpty() && underWay == 0 && confirmed >= asked;
    }
}
