package jfs;

import java.io.IOException;
import jfs.negotiation.Negotiator;
import jfs.negotiation.handshake.AcceptedSockets;
import jfs.negotiation.handshake.Endpoint;
import jfs.negotiation.handshake.StreamPrefix;
import jfs.negotiation.policy.Choice;
import jfs.spi.FastPath;
import jfs.spi.NoResourcesException;
import jfs.spi.TcpDescriptor;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;

/**
 * A connection as a candidate for a fast path, from when it has become a conversation. The connecting end offers the connection. At the
 * accepted end offers can find it. Then the connection gets a fast path, or a reason to stay on TCP. If the reason can pass, the
 * negotiation is tried again as long as the connection is used ({@link BackOff}). Most connections end before and never have a candidacy.
 *
 * <p>A connection is counted at one reason at a time, and at none once it has its path. A path that fails before any byte has gone by it
 * is a reason too, counted beside its attachment ({@link Stats#fast}). The negotiation refers to a socket by this object only, and only
 * weakly. So a socket to which nothing else refers is garbage-collected together with this object.
 *
 * <p>Thread-safe. Nothing here blocks.
 */
final class Candidacy implements Endpoint {

    private enum State {
        WAITING, OFFERED,
        /** The connection is on TCP for a reason that can pass. */
        DEFERRED,
        ATTACHED, DECIDED
    }

    private final JFSSocketImpl socket;
    private final Installation installation;
    private final Choice choice;

    // Written under this. The path and the entry are not written any more once closed is set.
    private volatile FastPath path;
    private State state = State.WAITING;
    private boolean closed;
    /** The reason at which the connection is counted now, or null. */
    private Reason counted;
    /** Decides when a failed attempt is repeated; null before the first failure. */
    private volatile BackOff backOff;
    /** Of an accepted connection: its listener, until offers can find the connection; and the table entry by which they then find it. */
    private Negotiator.Listening listening;
    private AcceptedSockets.Entry entry;
    /** Null unless the connection may still get a path between hosts. */
    private volatile StreamPrefix prefix;

    /**
     * @param choice what the connection may use
     * @param listening the listener that accepted it; null if this end has connected, or offers can't find the connection
     */
    Candidacy(JFSSocketImpl socket, Installation installation, Choice choice, Negotiator.Listening listening) {
        this.socket = socket;
        this.installation = installation;
        this.choice = choice;
        this.listening = listening;
        this.prefix = choice.betweenHosts() ? new StreamPrefix() : null;
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

    @Override
    public StreamPrefix streamPrefix() {
        return prefix;
    }

    /** @return null while there is no path */
    FastPath path() {
        return path;
    }

    /** From now on offers can find the connection, if they can find the listener that accepted it. The first success counts. */
    void awaitOffers(int remotePort, int localPort) {
        Negotiator.Listening from;
        synchronized (this) {
            from = listening;
            if (from == null || closed) {
                return;
            }
            listening = null;
            beginAgain();
        }
        AcceptedSockets.Entry made;
        try {
            made = from.awaitOffers(this, choice, remotePort, localPort);
        } catch (NoResourcesException | OutOfMemoryError e) { // the calling read or write has moved bytes, as in offer
            synchronized (this) {
                listening = from;
            }
            defer(Reason.NO_RESOURCES, e.getMessage());
            return;
        }
        if (made == null) {
            return;
        }
        synchronized (this) {
            if (path == null && !closed) {
                entry = made;
                return;
            }
        }
        made.forget();
    }

    /** Called under this before each attempt. Counts an attempt that follows a failure. */
    private void beginAgain() {
        if (backOff != null) {
            backOff.begun();
            Stats.RETRIES.increment();
        }
    }

    /** Whether a failed attempt, to offer the connection or to let offers find it, is to be repeated now. */
    boolean isRetryDue() {
        BackOff it = backOff;
        return it != null && it.isDue();
    }

    /** Offers the connection when it has become a conversation, and again when a failed offer is due. Other calls do nothing. */
    void offer(boolean early) {
        synchronized (this) {
            boolean again = state == State.DEFERRED && backOff != null;
            if (state != State.WAITING && !again || closed) {
                return;
            }
            state = State.OFFERED;
            beginAgain();
        }
        try {
            Step.OFFER_DUE.reached();
            installation.negotiator().offer(this, choice, early);
        } catch (OutOfMemoryError e) { // the calling read or write has moved bytes, and must report them to the program
            defer(Reason.NO_RESOURCES, e.getMessage());
        }
    }

    @Override
    public TcpDescriptor tcp() {
        return socket.tcp();
    }

    @Override
    public boolean attach(FastPath fast) {
        AcceptedSockets.Entry found;
        boolean betweenHosts;
        Reason before;
        synchronized (this) {
            if (closed || path != null) {
                return false;
            }
            try {
                socket.beginNoDelay(); // before the peer can learn of this end's path and switch (SWITCH-6)
            } catch (IOException e) { // the socket is being closed
                return false;
            }
            betweenHosts = choice.betweenHosts();
            path = fast;
            state = State.ATTACHED;
            prefix = null;
            found = entry;
            entry = null;
            before = counted;
            counted = null;
            backOff = null;
        }
        if (before != null) {
            Stats.passed(before, socket);
        }
        if (betweenHosts) {
            socket.keepTcpAlive();
        }
        Stats.attached(fast.transport(), socket);
        if (found != null) {
            found.forget();
        }
        return true;
    }

    @Override
    public void defer(Reason reason, String detail) {
        stay(State.DEFERRED, reason, detail);
    }

    @Override
    public void fallback(Reason reason, String detail) {
        stay(State.DECIDED, reason, detail);
    }

    private void stay(State next, Reason reason, String detail) {
        Reason before;
        synchronized (this) {
            if (state == State.ATTACHED || state == State.DECIDED) {
                return;
            }
            if (next == State.DECIDED) {
                prefix = null;
                backOff = null;
            } else if (state == State.OFFERED || listening != null) { // otherwise the peer tries again
                backOff = backOff == null ? new BackOff() : backOff;
                backOff.failed(reason == Reason.NO_PEER || reason == Reason.NOT_MINE);
            }
            state = next;
            before = counted;
            if (before == reason || before != null && saysNoMore(reason)) {
                return;
            }
            counted = reason;
        }
        if (before != null) {
            Stats.passed(before, socket);
        }
        Stats.fallback(reason, socket, detail);
    }

    /**
     * Whether a repeated offer fails for this reason when the peer or the connection has ended. Then the earlier reason is kept, because it
     * tells why there is no path.
     */
    private static boolean saysNoMore(Reason reason) {
        return reason == Reason.STALE || reason == Reason.NOT_MINE || reason == Reason.NO_PEER
                || reason == Reason.TRANSLATED;
    }

    /**
     * Called by the writer thread when the connection cannot switch now, and at close. The connection may then stay on TCP for its whole
     * life.
     *
     * @param over whether the socket is being closed
     */
    void lookAtPath(boolean over) {
        FastPath it = path;
        String why = it == null ? null : it.whyUnused(over);
        if (why == null) {
            return;
        }
        synchronized (this) {
            if (state != State.ATTACHED) {
                return;
            }
            state = State.DECIDED;
        }
        socket.endNoDelay();
        Stats.fallback(Reason.PATH_FAILED, socket, why);
    }

    /** The socket is closed: from now on the connection gets no path and no table entry. */
    synchronized void close() {
        closed = true;
    }

    /** Called after {@link #close}. Counts why the connection has no path, or has not used it, if it is not counted at a reason yet. */
    void decide() {
        lookAtPath(true);
        Reason reason;
        synchronized (this) {
            if (counted != null) {
                return;
            }
            reason = state == State.OFFERED ? Reason.STALE : entry != null ? Reason.NO_OFFER : Reason.NOT_ASKED;
        }
        fallback(reason, null);
    }

    /** Called after {@link #close}. From now on offers don't find the connection. */
    void leave() {
        AcceptedSockets.Entry found;
        synchronized (this) {
            found = entry;
        }
        if (found != null) {
            found.forget();
        }
    }
}
