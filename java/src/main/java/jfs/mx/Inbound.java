package jfs.mx;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.spi.Claim;

/**
 * The incoming direction of a channel. It puts messages back in order, knows whom they may come from (CHANNEL-7), and keeps the
 * bytes that the program has not read. A thread that holds its lock never takes {@link Outbound}'s lock.
 */
final class Inbound {

    /**
     * Most messages that are kept before their turn, and most that are kept before the peer is known. An honest peer sends no
     * more of them.
     */
    private static final int EARLY_MAX = Outbound.SPAN_MAX;

    /** A message that came before its turn, or before the peer was known. */
    private record Early(MessageBuffer message, long match, long nic, int id, int session) {
    }

    /** A message from that source has come, and its bytes could not be received. */
    private record Lost(long nic, int id, int session, String why) {
    }

    /**
     * What has become of a message, and of the messages that had waited for it.
     *
     * @param kept whether the message's buffer belongs to the channel now
     * @param forReader whether there is something that a reader may wait for
     * @param forWriter the same for a writer
     * @param answers what the peer is to be told
     */
    record Outcome(boolean kept, boolean forReader, boolean forWriter, List<Kind> answers) {

        static final Outcome NOT_OURS = new Outcome(false, false, false, List.of());
        static final Outcome EARLY = new Outcome(true, false, false, List.of());

        boolean isNews() {
            return forReader || forWriter;
        }
    }

    private final MxChannel channel;
    private final Outbound outbound;
    private final MessageBuffers buffers;
    private final long nonce;

    // Guarded by this. Other threads read the volatile fields without the lock.
    /** The peer's endpoint, from which all messages have to come; null until it is known. */
    private MxEndpoint.Peer from;
    private int next;
    private boolean forgotten;
    private final List<Early> strangers = new ArrayList<>();
    private final List<Lost> lostOfStrangers = new ArrayList<>();
    /** Messages that came before their turn, by sequence. */
    private final Map<Integer, Early> early = new HashMap<>();
    private final Deque<MessageBuffer> unread = new ArrayDeque<>();
    private long received;
    private volatile long consumed;
    /** {@link #consumed} when bytes were last shown. */
    private long shownAt = -1;
    private volatile int available;
    private volatile boolean greeted;
    private volatile long switchedAt = -1;
    private volatile Kind end;
    private volatile boolean peerExits;
    private volatile boolean peerTcpOnly;

    Inbound(MxChannel channel, Outbound outbound, long nonce) {
        this.channel = channel;
        this.outbound = outbound;
        this.buffers = channel.endpoint().buffers();
        this.nonce = nonce;
    }

    int available() {
        return available;
    }

    /** How many bytes the program has taken in all. */
    long consumed() {
        return consumed;
    }

    boolean greeted() {
        return greeted;
    }

    long switchedAt() {
        return switchedAt;
    }

    /** How the stream has ended: END or RESET; null: it has not. */
    Kind end() {
        return end;
    }

    boolean peerExits() {
        return peerExits;
    }

    boolean peerTcpOnly() {
        return peerTcpOnly;
    }

    /** @param into where the bytes go; if null, they go to {@code buffer}, whose position does not count */
    synchronized int receive(byte[] into, ByteBuffer buffer, int offset, int length) {
        int n = 0;
        while (n < length && !unread.isEmpty()) {
            MessageBuffer first = unread.peek();
            int part = Math.min(length - n, first.length());
            if (into != null) {
                first.get(into, offset + n, part);
            } else {
                first.get(buffer, offset + n, part);
            }
            n += part;
            if (first.length() == 0) {
                buffers.give(unread.poll());
            }
        }
        available -= n;
        consumed += n;
        return n;
    }

    /** Shows the bytes of the first message. @return how many, 0 if there are none */
    synchronized int peek(Claim into) {
        MessageBuffer first = unread.peek();
        if (first == null) {
            return 0;
        }
        shownAt = consumed;
        into.set(first.inNativeOrder, first.start, first.length());
        return first.length();
    }

    /** Takes the first bytes of those that were shown. */
    synchronized void release(int bytes) {
        if (consumed != shownAt) { // CLAIM-2
            throw new IllegalStateException("the bytes were received by another call since they were shown");
        }
        shownAt = -1;
        MessageBuffer first = unread.peek();
        first.start += bytes;
        if (first.length() == 0) {
            buffers.give(unread.poll());
        }
        available -= bytes;
        consumed += bytes;
    }

    /** The peer is known from now on. The messages that came before go through {@link MxChannel#arrived} now. */
    void knows(MxEndpoint.Peer peer) {
        Early[] waiting;
        Lost[] lost;
        synchronized (this) { // allocated first: without enough memory nothing is changed
            waiting = strangers.toArray(new Early[0]);
            lost = lostOfStrangers.toArray(new Lost[0]);
            from = peer;
            strangers.clear();
            lostOfStrangers.clear();
        }
        for (Lost it : lost) {
            channel.lost(it.nic, it.id, it.session, it.why);
        }
        for (Early it : waiting) {
            if (!channel.arrived(it.message, it.match, it.nic, it.id, it.session)) {
                buffers.give(it.message);
            }
        }
    }

    /** @return whether the message was the peer's; then messages behind it would wait for it for ever */
    synchronized boolean lost(long nic, int id, int session, String why) {
        if (from == null && lostOfStrangers.size() < EARLY_MAX) {
            lostOfStrangers.add(new Lost(nic, id, session, why));
        }
        return from != null && from.is(nic, id, session);
    }

    synchronized Outcome arrived(MessageBuffer message, long match, long nic, int id, int session) {
        if (forgotten) {
            return Outcome.NOT_OURS;
        }
        Early it = new Early(message, match, nic, id, session);
        if (from == null) {
            return strangers.size() < EARLY_MAX && strangers.add(it) ? Outcome.EARLY : Outcome.NOT_OURS;
        }
        if (!from.is(nic, id, session)) {
            return Outcome.NOT_OURS;
        }
        if (Kind.sequence(match) != next) { // (CHANNEL-1)
            if (early.size() < EARLY_MAX && early.putIfAbsent(Kind.sequence(match), it) == null) {
                return Outcome.EARLY;
            }
            channel.violated("messages out of order");
            return new Outcome(false, true, true, List.of());
        }
        boolean forReader = false;
        boolean forWriter = false;
        List<Kind> answers = List.of();
        for (; it != null; it = early.remove(next)) {
            next = next + 1 & Kind.SEQUENCE_MASK;
            Kind kind = Kind.of(it.match);
            if (!take(kind, it.message)) {
                buffers.give(it.message);
            }
            boolean more = kind == null || channel.failed(); // news for both halves
            forReader |= more || kind != Kind.RECEIVER;
            forWriter |= more || !kind.isData();
            if (kind != null && kind.answer() != null) {
                answers = new ArrayList<>(answers);
                answers.add(kind.answer());
            }
        }
        return new Outcome(true, forReader, forWriter, answers);
    }

    /** Called under the lock. @return whether the buffer is kept */
    private boolean take(Kind kind, MessageBuffer message) {
        int length = message.length();
        if (channel.failed()) {
            return false;
        }
        if (kind == null || greeted == (kind == Kind.HELLO)) { // (CHANNEL-2)
            channel.violated("a message of kind " + kind);
            return false;
        }
        switch (kind) {
            case HELLO -> {
                greeted = length == Long.BYTES && message.getLong() == nonce;
                if (!greeted) {
                    channel.violated("another nonce");
                }
            }
            case DATA, FIRST -> {
                return takeData(kind, message);
            }
            case RECEIVER -> {
                long told = length == 2 * Long.BYTES ? message.getLong() : -1;
                if (!outbound.mayBeConsumed(told)) {
                    channel.violated(told + " bytes consumed of " + outbound.sent());
                } else {
                    outbound.peerSays(told, message.getLong());
                }
            }
            case END, RESET -> {
                end = end == null ? kind : end;
            }
            case EXIT -> peerExits = true;
            case ARRIVED -> outbound.isConfirmed();
            case TCP_ONLY -> peerTcpOnly = true;
            case ASK -> { } // MxChannel answers, without this lock
        }
        return false;
    }

    private boolean takeData(Kind kind, MessageBuffer message) {
        if (kind == Kind.FIRST) {
            long count = message.length() > Long.BYTES ? message.getLong() : -1;
            if (count < 0 || switchedAt >= 0) {
                channel.violated("a switch after " + count + " bytes");
                return false;
            }
            switchedAt = count;
        }
        int length = message.length();
        received += length;
        if (switchedAt < 0 || length == 0 || end != null || received - consumed > MxChannel.WINDOW) {
            channel.violated(length + " bytes out of turn or beyond the window");
            return false;
        }
        peerExits = false;
        if (outbound.receiverIsClosed()) {
            return false;
        }
        MessageBuffer last = unread.peekLast();
        boolean fits = last != null && last.room() >= length;
        if (fits) { // otherwise small messages that the program does not take would each hold a whole buffer
            last.put(message);
        } else {
            unread.add(message);
        }
        available += length;
        return !fits;
    }

    synchronized void dropUnread() {
        unread.forEach(buffers::give);
        unread.clear();
        available = 0;
    }

    /** Drops all messages. Messages that come later are not taken in. */
    synchronized void forget() {
        dropUnread();
        forgotten = true;
        strangers.forEach(it -> buffers.give(it.message));
        strangers.clear();
        early.values().forEach(it -> buffers.give(it.message));
        early.clear();
    }
}
