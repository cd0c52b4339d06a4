package jfs.mx;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Mx;

/**
 * What goes out of a channel: gathers bytes in messages, sends what may be sent, counts what is under way, and knows what
 * the peer has said about all that. Its lock is held while a message is started, never while one is waited for.
 */
final class Outbound {

    /** From the oldest message that is under way to the newest: those between them may have come, and wait for it. */
    static final int SPAN_MAX = Long.SIZE;

    static final int UNDER_WAY_MAX = 16;
    /** Answers that can't be sent yet: nor is it to ask more without taking the answers. */
    private static final int ANSWERS_MAX = 64;
    /** The library may be out of means for a send, all of its senders' together, but not for so long. */
    private static final long STARVING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final MxChannel channel;
    private final MxEndpoint endpoint;

    // What the peer has said. Written by who looks.
    private volatile int confirmed;
    private volatile long peerConsumed;
    private volatile long peerFlags;

    // Under the lock, but for what is volatile: that others look at without it.
    /** Null until it is known. */
    private MxEndpoint.Peer to;
    private int peerNumber;
    private int messageMax;
    private long window;
    private int next;
    /** What is sent first: news of the receiving half, confirmations. */
    private final Deque<MessageBuffer> urgent = new ArrayDeque<>();
    private final Deque<MessageBuffer> outbox = new ArrayDeque<>();
    private int underWay;
    /** Since when the library has no means for a send although none is under way; 0: it has. */
    private volatile long starvingSince;
    /** The place of the oldest message under way, and which of the {@link #SPAN_MAX} from there on are not, as bits. */
    private int oldest;
    private long done;
    private volatile long sent;
    private volatile long toldConsumed;
    private volatile long flags;
    /** What the RECEIVER that waits to be sent tells. */
    private boolean tellsReady;
    private boolean readyTold;
    private volatile boolean switched;
    /** What {@link Kind#FIRST} is to say, or -1. */
    private long pendingSwitch = -1;
    private boolean finished;
    private boolean greetingSent;
    /** Whether it was seen that the channel has failed: what was to be sent is dropped. */
    private boolean stopped;
    /** Whether nothing can be said any more: a message may have been lost, and the peer takes none behind it. */
    private boolean mute;
    /** How many ENDs, RESETs and EXITs there were; the peer has {@link #confirmed} some. */
    private int asked;

    Outbound(MxChannel channel) {
        this.channel = channel;
        this.endpoint = channel.endpoint();
    }

    /** The first message is on its way, unless the channel has failed. */
    synchronized void connect(MxEndpoint.Peer peer, MxChannel.Description its, long nonce) {
        to = peer;
        peerNumber = its.number();
        messageMax = Math.min(its.messageMax(), endpoint.messageMax());
        window = Math.min(its.window(), MxChannel.WINDOW); // or a peer that never reads has us keep what it likes
        MessageBuffer hello = newMessage(Kind.HELLO); // before anything else (CHANNEL-2)
        hello.putLong(nonce);
        urgent.add(hello);
        pump();
    }

    MxEndpoint.Peer peer() {
        return to;
    }

    // What the peer says, by who looks.

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

    /** Whether there is something to tell but totals. */
    boolean hasReceiverNews() {
        return flags != 0;
    }

    /** With the lock: while READY is being sent its answer, all of a stream, may come before this is set. */
    synchronized boolean readyTold() {
        return readyTold;
    }

    /** Bytes that have been taken without the peer's knowing. */
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

    /** Under the lock. What was to be told and still waits is told no more; null: there is no memory. */
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

    /** Takes bytes as far as there is room. @return how many */
    synchronized int send(byte[] bytes, int offset, int length) {
        return channel.failed() ? 0 : gather(bytes, offset, (int) Math.min(length, window - (sent - peerConsumed)));
    }

    private int gather(byte[] bytes, int offset, int length) {
        int taken = 0;
        while (taken < length) {
            MessageBuffer last = outbox.peekLast();
            if (last == null || !last.kind.isData() || last.end >= messageMax) {
                try {
                    last = newDataMessage();
                } catch (OutOfMemoryError e) { // of what memory there may be outside of the heap: what was taken is sent
                    if (taken == 0) {
                        throw e;
                    }
                    return taken;
                }
                outbox.add(last);
            }
            int part = Math.min(length - taken, messageMax - last.end);
            last.put(bytes, offset + taken, part);
            sent += part;
            taken += part;
            pump();
        }
        return taken;
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

    /** No more bytes will be sent. The first one counts. */
    synchronized void finish(boolean reset) {
        if (!finished) {
            finished = true;
            ask(reset ? Kind.RESET : Kind.END);
        }
    }

    /** The JVM ends. */
    synchronized void exit() {
        if (!finished) {
            ask(Kind.EXIT);
        }
    }

    /** Behind what was sent, and to be confirmed. Under the lock. */
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

    /** Sends it before what has gathered. */
    synchronized void post(Kind kind) {
        stopIfFailed();
        MessageBuffer message = maySay(kind) ? newNote(kind) : null;
        if (message != null) {
            urgent.add(message);
            pump();
        }
    }

    /**
     * Under the lock. A message that the program knows nothing of, so that it can't be told that there is no memory for it:
     * the channel fails then, as the peer would wait for it in vain, and this is null.
     */
    private MessageBuffer newNote(Kind kind) {
        try {
            return newMessage(kind);
        } catch (OutOfMemoryError e) {
            channel.setFailure(MxChannel.NO_MEMORY);
            return null;
        }
    }

    // Messages under way. Under the lock.

    /** Whether a message of that kind may go: once the channel was seen to have failed, only what ends it at the peer (CHANNEL-5). */
    private boolean maySay(Kind kind) {
        if (!stopped) {
            return to != null;
        }
        return greetingSent && !mute && switch (kind) {
            case RECEIVER -> receiverIsClosed();
            case END, RESET, TCP_ONLY -> !switched; // else bytes are missing before it
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

    /** @return false if it has to wait until another one has been sent, or for ever */
    private boolean start(MessageBuffer message) {
        if (!maySay(message.kind) || span() == SPAN_MAX) {
            return false;
        }
        message.sequence = next; // before it may be over
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

    /** One that is under way will try again at its end. Without any the endpoint does, as others' may end. */
    private boolean isStarved() {
        long now = endpoint.now();
        starvingSince = starvingSince == 0 ? now | 1 : starvingSince;
        boolean starved = now - starvingSince >= STARVING_NANOS;
        if (!starved) {
            endpoint.retrySendsSoon();
        }
        return starved;
    }

    /** @return whether there was something to retry; without the lock if there wasn't */
    boolean retry() {
        if (starvingSince == 0) {
            return false;
        }
        synchronized (this) {
            pump();
        }
        return true;
    }

    /** From the oldest message under way to the next one. */
    private int span() {
        return next - oldest & Kind.SEQUENCE_MASK;
    }

    private void isDone(int sequence) {
        done |= 1L << (sequence - oldest & Kind.SEQUENCE_MASK);
        for (; (done & 1) != 0; done >>>= 1) {
            oldest = oldest + 1 & Kind.SEQUENCE_MASK;
        }
    }

    /** A send has completed: by who looks. @return whether it was the last one under way */
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

    /** Drops what nobody will read. @return whether nothing is left to do once the channel is abandoned */
    synchronized boolean settle() {
        if (channel.failed() || peerIs(Kind.CLOSED) && greetingSent) { // what may follow the greeting needs it (CHANNEL-2)
            dropUnsent();
        }
        return isOver() || !channel.greeted() && underWay == 0; // nobody there, nobody to confirm anything
    }

    /** The endpoint is being closed, and the channel has failed. */
    synchronized void silence() {
        stopIfFailed();
        mute = true;
    }

    /** Nobody will retry what waits, nor is anything to be said any more. */
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
