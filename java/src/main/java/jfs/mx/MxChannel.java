package jfs.mx;

import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Mx;
import jfs.steps.Step;

/**
 * One end of a connection as messages of an endpoint: two streams of bytes, one each way, and what the ends tell each other
 * about them ({@link Kind} draws the messages).
 *
 * <p>C1. Messages of one end are numbered and taken in that order; MX matches them in order, but long ones may complete late. So none is sent that is
 * {@value #SPAN_MAX} places or more behind one that is still under way: that is how many the receiver has to keep.
 * <br>C2. The first one has the nonce that the ends have agreed on, and all come from the endpoint that was connected to
 * (R20).
 * <br>C3. Bytes that the receiving program has not taken are at most {@link #WINDOW}: the sender counts what it sends, the
 * receiver tells what was taken, as a total. So nobody's buffers grow without end, and a writer blocks no earlier than over
 * TCP (R7).
 * <br>C4. A message is sent at once as long as less than {@value #UNDER_WAY_MAX} are under way; what is written meanwhile
 * gathers in as few messages as it takes. That is what TCP makes of TCP_NODELAY. Without that option it would wait for the
 * peer before it sends a second small segment, which spares a slow line and would only cost time here.
 * <br>C5. Nothing is forgotten that was sent: the channel of a closed connection lives on until the peer has all of it, or
 * has said that it won't read it, is gone, or has been silent for a minute (R21).
 * <br>C6. A receiver is told of as ready only to a peer that has greeted. So where none has, nothing comes, and nobody waits for it.
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

    private static final int UNDER_WAY_MAX = 16;
    /** From the oldest message that is under way to the newest: those between them may have come, and wait for it. */
    private static final int SPAN_MAX = Long.SIZE;
    /** Messages that have come before their turn, or before it is known who the peer is: more is no honest peer's doing. */
    private static final int EARLY_MAX = SPAN_MAX;
    /** Answers that can't be sent yet: nor is it to ask more without taking the answers. */
    private static final int ANSWERS_MAX = 64;
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

    /** Before it is known who may send here. */
    private record Early(MessageBuffer message, long match, long nic, int id, int session) {
    }

    private final MxEndpoint endpoint;
    private final int number;
    private final long nonce;
    private volatile Listener listener;

    /** Guards what comes in. Never held while the other one is taken. */
    private final Object in = new Object();
    /** Null until it is known. */
    private MxEndpoint.Peer from;
    private int nextIn;
    private boolean forgotten;
    private final List<Early> strangers = new ArrayList<>();
    /** By sequence. */
    private final Map<Integer, Early> early = new HashMap<>();
    private final Deque<MessageBuffer> unread = new ArrayDeque<>();
    private long received;
    private volatile long consumed;
    private volatile int available;
    private volatile boolean greeted;
    private volatile long switchedAt = -1;
    private volatile Kind end;
    private volatile boolean peerExits;
    private volatile boolean peerTcpOnly;
    private volatile int confirmed;
    private volatile long peerConsumed;
    private volatile long peerFlags;
    private volatile long lastHeard = System.nanoTime();
    private volatile long lastSign;

    /** Guards what goes out. */
    private final Object out = new Object();
    /** Null until it is known. */
    private MxEndpoint.Peer to;
    private int peerNumber;
    private int messageMax;
    private long window;
    private int nextOut;
    /** What is sent first: news of the receiving half, confirmations. */
    private final Deque<MessageBuffer> urgent = new ArrayDeque<>();
    private final Deque<MessageBuffer> outbox = new ArrayDeque<>();
    private int underWay;
    /** The place of the oldest message under way, and which of the {@link #SPAN_MAX} from there on are not, as bits. */
    private int oldestOut;
    private long doneOut;
    private volatile long sent;
    private volatile long toldConsumed;
    private volatile long flags;
    private volatile boolean readyTold;
    private volatile boolean switched;
    /** What {@link Kind#FIRST} is to say, or -1. */
    private long pendingSwitch = -1;
    private boolean finished;
    /** How many ENDs, RESETs and EXITs there were; the peer has {@link #confirmed} some. */
    private int asked;
    private boolean abandoned;

    private volatile String failure;

    MxChannel(MxEndpoint endpoint, int number, long nonce) {
        this.endpoint = endpoint;
        this.number = number;
        this.nonce = nonce;
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
        synchronized (out) {
            to = found;
            peerNumber = other.number;
            messageMax = Math.min(other.messageMax, endpoint.messageMax());
            window = Math.min(other.window, WINDOW); // or a peer that never reads has us keep what it likes
            MessageBuffer hello = newMessage(Kind.HELLO); // before anything else (C2)
            hello.putLong(nonce);
            urgent.add(hello);
            pump();
        }
        if (failure != null) {
            throw new MxException(failure);
        }
        List<Early> waiting;
        synchronized (in) {
            from = found;
            waiting = List.copyOf(strangers);
            strangers.clear();
        }
        for (Early message : waiting) {
            if (!arrived(message.message, message.match, message.nic, message.id, message.session)) {
                endpoint.buffers().give(message.message);
            }
        }
    }

    // Receiving.

    /** How many bytes can be taken now. */
    public int available() {
        return available;
    }

    /** Takes bytes that have come. @return how many, 0 if there are none */
    public int receive(byte[] into, int offset, int length) {
        int n = 0;
        synchronized (in) {
            while (n < length && !unread.isEmpty()) {
                MessageBuffer first = unread.peek();
                int part = Math.min(length - n, first.length());
                first.get(into, offset + n, part);
                n += part;
                if (first.length() == 0) {
                    endpoint.buffers().give(unread.poll());
                }
            }
            available -= n;
            consumed += n;
        }
        if (n > 0 && consumed - toldConsumed >= CREDIT_STEP) {
            tellReceiver();
            Step.CREDIT_TOLD.reached();
        }
        return n;
    }

    /** How many bytes of the stream went over TCP before; -1 if it hasn't switched. */
    public long switchedAt() {
        return switchedAt;
    }

    /** Whether the stream has ended; what is {@link #available} comes before that. */
    public boolean ended() {
        return end != null;
    }

    public boolean endedByReset() {
        return end == Kind.RESET;
    }

    /** Whether the peer's process is ending and has nothing more to send. */
    public boolean peerExits() {
        return peerExits;
    }

    /** TCP has ended: asks the peer whether that is the stream's end, which {@link #endsWithTcp} has the answer to. */
    public void askWhetherEnded() {
        synchronized (out) {
            post(Kind.ASK);
        }
    }

    /** Whether the peer has said that its stream is over with TCP, on which it was. */
    public boolean endsWithTcp() {
        return peerTcpOnly;
    }

    /** Whether the peer has its end of this: else it has never sent anything. */
    public boolean greeted() {
        return greeted;
    }

    /** Whether {@link #switchAt} was called. */
    public boolean switched() {
        return switched;
    }

    /** Whether messages can't be sent or understood any more. */
    public boolean failed() {
        return failure != null;
    }

    /** Whether the peer may send its stream here: it has its end, and has been told that this one is ready (C6). */
    public boolean mayBeSentTo() {
        return readyTold;
    }

    /** Whether what the peer has sent here, or will, is lost. */
    public boolean isCutOff() {
        return failed() && !peerExits && mayBeSentTo();
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

    /**
     * What the peer's writer is to know of this end's receiver: each true one stays so but for {@code takesUrgent}. What is
     * unread when it is closed stays {@link #available}: whoever closes the socket goes by that (R13).
     */
    public void tellReceiver(boolean ready, boolean takesUrgent, boolean closed) {
        synchronized (out) {
            flags = (ready ? Kind.READY : 0) | (takesUrgent ? Kind.TAKES_URGENT : 0) | (closed ? Kind.CLOSED : 0);
        }
        tellReceiver();
    }

    private void tellReceiver() {
        synchronized (out) {
            toldConsumed = consumed;
            if (canSend()) {
                MessageBuffer message = unsentReceiver();
                if (message != null) {
                    message.start = message.end = 0;
                    message.putLong(toldConsumed);
                    message.putLong(greeted ? flags : flags & ~Kind.READY);
                    pump();
                }
            }
        }
        tellOfFailure();
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

    private void dropUnread() {
        synchronized (in) {
            unread.forEach(endpoint.buffers()::give);
            unread.clear();
            available = 0;
        }
    }

    private void dropAll() {
        dropUnread();
        synchronized (in) {
            forgotten = true;
            strangers.forEach(it -> endpoint.buffers().give(it.message));
            strangers.clear();
            early.values().forEach(it -> endpoint.buffers().give(it.message));
            early.clear();
        }
    }

    /**
     * A message has come. By who looks, or by who connects: one at a time.
     *
     * @return whether it was for this channel; then the buffer is this one's
     */
    boolean arrived(MessageBuffer message, long match, long nic, int id, int session) {
        List<Kind> answers = List.of();
        boolean kept = true;
        boolean known;
        synchronized (in) {
            known = greeted;
            Early next = new Early(message, match, nic, id, session);
            if (forgotten) {
                return false;
            }
            if (from == null) {
                return strangers.size() < EARLY_MAX && strangers.add(next);
            }
            if (!from.is(nic, id, session)) {
                return false;
            }
            if (Kind.sequence(match) != nextIn) { // (C1)
                kept = early.size() < EARLY_MAX && early.putIfAbsent(Kind.sequence(match), next) == null;
                if (kept) {
                    return true;
                }
                violated("messages out of order");
                next = null;
            }
            for (; next != null; next = early.remove(nextIn)) {
                nextIn = nextIn + 1 & Kind.SEQUENCE_MASK;
                Kind kind = Kind.of(next.match);
                if (!take(kind, next.message)) {
                    endpoint.buffers().give(next.message);
                }
                if (kind != null && kind.answer() != null) {
                    answers = new ArrayList<>(answers);
                    answers.add(kind.answer());
                }
            }
        }
        lastHeard = System.nanoTime();
        Step.MESSAGE_RECEIVED.reached();
        if (greeted && !known && flags != 0) {
            tellReceiver(); // (C6)
        }
        answers.forEach(this::answer);
        settle();
        tell();
        return kept;
    }

    /** Under the lock. @return whether the buffer is kept */
    private boolean take(Kind kind, MessageBuffer message) {
        int length = message.length();
        if (failure != null) {
            return false;
        }
        if (kind == null || greeted == (kind == Kind.HELLO)) { // (C2)
            violated("a message of kind " + kind);
            return false;
        }
        switch (kind) {
            case HELLO -> {
                greeted = length == Long.BYTES && message.getLong() == nonce;
                if (!greeted) {
                    violated("another nonce");
                }
            }
            case DATA, FIRST -> {
                return takeData(kind, message);
            }
            case RECEIVER -> {
                long told = length == 2 * Long.BYTES ? message.getLong() : -1;
                if (told < peerConsumed || told > sent) {
                    violated(told + " bytes consumed of " + sent);
                } else {
                    peerFlags = message.getLong();
                    peerConsumed = told;
                }
            }
            case END, RESET -> {
                end = end == null ? kind : end;
            }
            case EXIT -> peerExits = true;
            case ARRIVED -> confirmed++;
            case TCP_ONLY -> peerTcpOnly = true;
            case ASK -> { } // answered without the lock
        }
        return false;
    }

    private void answer(Kind kind) {
        synchronized (out) {
            if (urgent.size() >= ANSWERS_MAX) {
                violated("more questions than it takes answers to");
            } else if (kind != Kind.TCP_ONLY || !switched) {
                post(kind);
            }
        }
    }

    private boolean takeData(Kind kind, MessageBuffer message) {
        if (kind == Kind.FIRST) {
            long count = message.length() > Long.BYTES ? message.getLong() : -1;
            if (count < 0 || switchedAt >= 0) {
                violated("a switch after " + count + " bytes");
                return false;
            }
            switchedAt = count;
        }
        int length = message.length();
        received += length;
        if (switchedAt < 0 || length == 0 || end != null || received - consumed > WINDOW) {
            violated(length + " bytes out of turn or beyond the window");
            return false;
        }
        peerExits = false;
        if ((flags & Kind.CLOSED) != 0) {
            return false;
        }
        MessageBuffer last = unread.peekLast();
        boolean fits = last != null && last.room() >= length;
        if (fits) { // or small messages that nobody takes would each hold a whole buffer
            last.put(message);
        } else {
            unread.add(message);
        }
        available += length;
        return !fits;
    }

    private void violated(String what) {
        failure = failure != null ? failure : VIOLATION + what;
    }

    // Sending.

    /** Whether {@link #send} takes something. */
    public boolean hasRoom() {
        return sent - peerConsumed < window;
    }

    public boolean peerReady() {
        return (peerFlags & Kind.READY) != 0;
    }

    public boolean peerTakesUrgent() {
        return (peerFlags & Kind.TAKES_URGENT) != 0;
    }

    /** Whether the peer's receiver is closed: nobody will read what is sent. */
    public boolean peerClosed() {
        return (peerFlags & Kind.CLOSED) != 0;
    }

    /** The stream went over TCP until here; what is sent from now on is the rest. Once. */
    public void switchAt(long count) {
        synchronized (out) {
            switched = true;
            pendingSwitch = count;
        }
    }

    /** Takes bytes as far as there is room. While the JVM ends it waits until the peer has them, for at most a second. */
    public int send(byte[] bytes, int offset, int length) throws SocketException {
        int taken;
        synchronized (out) {
            taken = failure != null ? 0 : gather(bytes, offset, (int) Math.min(length, window - (sent - peerConsumed)));
        }
        if (failure != null) {
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
        it.sender = this;
        it.kind = kind;
        return it;
    }

    /** No more bytes will be sent. The first one counts. */
    public void finish(boolean reset) {
        synchronized (out) {
            if (!finished) {
                finished = true;
                ask(reset ? Kind.RESET : Kind.END);
            }
        }
        settle();
        tellOfFailure();
    }

    /** The JVM ends. */
    void exit() {
        synchronized (out) {
            if (!finished) {
                ask(Kind.EXIT);
            }
        }
    }

    /** Behind what was sent, and to be confirmed. Under the lock. */
    private void ask(Kind kind) {
        MessageBuffer message = canSend() ? newNote(kind) : null;
        if (message != null) {
            asked++;
            outbox.add(message);
            pump();
        }
    }

    /** Sends it before what has gathered. Under the lock. */
    private void post(Kind kind) {
        MessageBuffer message = canSend() ? newNote(kind) : null;
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
            failure = failure != null ? failure : NO_MEMORY;
            return null;
        }
    }

    private boolean canSend() {
        return to != null && failure == null;
    }

    /** Under the lock. */
    private void pump() {
        while (!urgent.isEmpty() && start(urgent.peek())) {
            urgent.poll();
        }
        while (urgent.isEmpty() && !outbox.isEmpty() && (underWay < UNDER_WAY_MAX || !outbox.peek().kind.isData())
                && start(outbox.peek())) {
            outbox.poll();
        }
    }

    /** Under the lock. @return false if it has to wait until another one has been sent, or for ever */
    private boolean start(MessageBuffer message) {
        if (failure != null || span() == SPAN_MAX) {
            return false;
        }
        message.sequence = nextOut; // before it may be over
        int error = endpoint.send(to, message, message.kind.match(peerNumber, nextOut));
        if (error == Mx.OK) {
            readyTold |= greeted && message.kind == Kind.RECEIVER && (flags & Kind.READY) != 0;
            nextOut = nextOut + 1 & Kind.SEQUENCE_MASK;
            underWay++;
            return true;
        }
        if (error != Mx.NO_RESOURCES || underWay == 0) {
            failure = "mx_isend: " + Mx.errorText(error);
        }
        return false;
    }

    /** From the oldest message under way to the next one. */
    private int span() {
        return nextOut - oldestOut & Kind.SEQUENCE_MASK;
    }

    private void isDone(int sequence) {
        doneOut |= 1L << (sequence - oldestOut & Kind.SEQUENCE_MASK);
        for (; (doneOut & 1) != 0; doneOut >>>= 1) {
            oldestOut = oldestOut + 1 & Kind.SEQUENCE_MASK;
        }
    }

    /** A send has completed. By who looks. */
    void sent(MessageBuffer message, int status) {
        boolean failed;
        boolean last;
        synchronized (out) {
            underWay--;
            isDone(message.sequence);
            if (status != Mx.STATUS_SUCCESS && failure == null) {
                failure = "mx_isend: " + Mx.statusText(status);
            }
            pump();
            failed = failure != null;
            last = underWay == 0;
        }
        endpoint.buffers().give(message);
        if (failed || last) {
            settle();
        }
        if (failed) {
            tell();
        }
    }

    /** Who waits for the peer, now and then: without a message under way nothing would tell it that the peer is dead. */
    public void lookForPeer() {
        boolean silent;
        synchronized (out) {
            silent = underWay == 0;
        }
        if (silent) {
            tellReceiver();
        }
    }

    // Ending.

    /** A message has come from there, and its bytes could not be received. */
    void lost(long nic, int id, int session, String why) {
        boolean ofPeer;
        synchronized (in) {
            ofPeer = from != null && from.is(nic, id, session);
        }
        if (ofPeer) {
            fail(why);
        }
    }

    void fail(String why) {
        synchronized (out) {
            failure = failure == null ? why : failure;
        }
        settle();
        tell();
    }

    /** After anything that may have failed. */
    private void tellOfFailure() {
        if (failure != null) {
            settle();
            tell();
        }
    }

    /** After anything that somebody may wait for. */
    private void tell() {
        Listener it = listener;
        if (it != null) {
            it.readerNews();
            it.writerNews();
        }
    }

    /** After anything that may have been the last. */
    private void settle() {
        boolean over;
        synchronized (out) {
            if (failure != null || peerClosed()) { // nobody will read it
                urgent.forEach(endpoint.buffers()::give);
                urgent.clear();
                outbox.forEach(endpoint.buffers()::give);
                outbox.clear();
            }
            over = abandoned && (isOver() || !greeted && underWay == 0); // nobody there, nobody to confirm anything
        }
        if (over) {
            endpoint.forget(this);
            dropAll();
            Step.CHANNEL_FORGOTTEN.reached();
        }
    }

    private boolean isOver() {
        return failure != null || peerClosed()
                || urgent.isEmpty() && outbox.isEmpty() && underWay == 0 && confirmed >= asked;
    }

    /** Whether the peer has all that was sent, or will never have it. */
    boolean isFlushed() {
        synchronized (out) {
            return isOver();
        }
    }

    /**
     * Waits until the peer has confirmed the end, and so all that was sent, or won't; no longer than until the deadline, a {@link
     * System#nanoTime}. An interrupt stays, but doesn't end it.
     */
    public void awaitDelivered(long deadline) {
        endpoint.flush(this, deadline);
    }

    /** Nobody will use it any more. It ends when the peer has all of it (C5). */
    public void abandon() {
        finish(false);
        tellReceiver(false, false, true);
        dropUnread();
        lastHeard = System.nanoTime();
        lastSign = lastHeard;
        synchronized (out) {
            abandoned = true;
        }
        settle();
        if (endpoint.knows(this)) {
            endpoint.linger(this);
            settle(); // it may have been over just now
        }
    }

    /** Looked at now and then when it was abandoned. */
    void giveUpIfSilent() {
        long now = System.nanoTime();
        if (now - lastSign >= BETWEEN_SIGNS_NANOS) {
            lastSign = now;
            lookForPeer();
        }
        if (now - lastHeard < SILENCE_NANOS) {
            return;
        }
        boolean stuck;
        synchronized (out) {
            stuck = underWay > 0;
        }
        fail("the peer has been silent for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS) + " s");
        if (stuck) { // it doesn't even take messages: what of it is under way ends so
            endpoint.disconnect(to);
        }
    }
}
