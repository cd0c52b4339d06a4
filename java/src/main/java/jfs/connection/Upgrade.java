package jfs.connection;

import java.nio.ByteBuffer;
import jfs.negotiation.handshake.AcceptedSockets;
import jfs.negotiation.handshake.StreamPrefix;
import jfs.negotiation.policy.Choice;
import jfs.stat.Reason;

/**
 * What a connection needs only while it may still get a fast path. Most connections end before that and never have an instance.
 *
 * <p>Any thread may call {@link #choice}, {@link #prefix}, {@link #sending}, {@link #received}, {@link #isRetryDue}. The other
 * methods are called under the monitor of the {@link Connection}. Nothing here blocks.
 */
final class Upgrade {

    private final Choice choice;
    /** The first bytes of the stream. Null unless the connection may still get a path between hosts. */
    private volatile StreamPrefix prefix;
    /** Decides when a failed attempt is repeated. Null before the first failure. */
    private volatile BackOff backOff;
    /** Of an accepted connection: the table entry by which offers find it. */
    private AcceptedSockets.Entry entry;
    /** The reason at which the connection is counted now, or null. */
    private Reason counted;

    /** @param choice what the connection may use */
    Upgrade(Choice choice) {
        this.choice = choice;
        this.prefix = choice.betweenHosts() ? new StreamPrefix() : null;
    }

    Choice choice() {
        return choice;
    }

    StreamPrefix prefix() {
        return prefix;
    }

    /** Called with bytes before they go over TCP. */
    void sending(byte[] from, int offset, int length) {
        StreamPrefix it = prefix;
        if (it != null) {
            it.sending(from, offset, length);
        }
    }

    /** Called with bytes that have come over TCP. */
    void received(byte[] into, int offset, int length) {
        StreamPrefix it = prefix;
        if (it != null) {
            it.received(into, offset, length);
        }
    }

    /** Called with bytes before they go over TCP, which may take fewer of them. @return for {@link #sent} */
    int sending(ByteBuffer from) {
        StreamPrefix it = prefix;
        return it == null ? 0 : it.sending(from);
    }

    /** Called when TCP has taken so many of them. */
    void sent(int before, int bytes) {
        StreamPrefix it = prefix;
        if (it != null) {
            it.sent(before, bytes);
        }
    }

    /** Called with a buffer in front of whose position are so many bytes that have come over TCP. */
    void received(ByteBuffer into, int bytes) {
        StreamPrefix it = prefix;
        if (it != null) {
            it.received(into, bytes);
        }
    }

    /** Whether a failed attempt, to offer the connection or to let offers find it, is to be repeated now. */
    boolean isRetryDue() {
        BackOff it = backOff;
        return it != null && it.isDue();
    }

    /** @return whether an attempt has failed before, so that the one that begins now repeats it */
    boolean beginAttempt() {
        if (backOff == null) {
            return false;
        }
        backOff.begun();
        return true;
    }

    /** @param foundNobody whether the attempt failed because it found no peer */
    void failed(boolean foundNobody) {
        try {
            if (backOff == null) {
                backOff = new BackOff();
            }
            backOff.failed(foundNobody);
        } catch (OutOfMemoryError e) { // the calling read or write has moved bytes; the attempt is not repeated
            backOff = null;
        }
    }

    /** No further attempt will be made. */
    void end() {
        prefix = null;
        backOff = null;
    }

    Reason counted() {
        return counted;
    }

    /** @return the reason at which the connection was counted before, or null */
    Reason counted(Reason reason) {
        Reason before = counted;
        counted = reason;
        return before;
    }

    boolean canBeFound() {
        return entry != null;
    }

    void foundBy(AcceptedSockets.Entry made) {
        entry = made;
    }

    /** @return the entry, which the caller has to take out of the table outside the monitor; or null */
    AcceptedSockets.Entry takeEntry() {
        AcceptedSockets.Entry it = entry;
        entry = null;
        return it;
    }
}
