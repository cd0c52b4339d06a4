package jfs;

import java.io.IOException;
import jfs.negotiation.Choice;
import jfs.negotiation.Endpoint;
import jfs.negotiation.Negotiator;
import jfs.negotiation.Opening;
import jfs.negotiation.Refusal;
import jfs.spi.FastPath;
import jfs.spi.NoResourcesException;
import jfs.spi.TcpDescriptor;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;

/**
 * What becomes of a connection that has become a conversation: it is offered, or can be found by offers, then it has a fast path
 * or a reason to stay on TCP. Where the reason can pass, it is tried again as long as the connection is used ({@link BackOff}). Most
 * connections end before and never have one. A connection is counted at one reason at a time, and at none once it has its
 * path. This is what the negotiation holds of a socket: weakly, so a socket nobody refers to is collected with it. A path
 * that fails before anything has gone by it is a reason too, counted beside its attachment ({@link Stats#fast}).
 *
 * <p>Thread-safe. Nothing here blocks.
 */
final class Candidacy implements Endpoint {

    private enum State {
        WAITING, OFFERED,
        /** On TCP, for a reason that can pass. */
        DEFERRED,
        ATTACHED, DECIDED
    }

    private final JFSSocketImpl socket;
    private final Installation installation;
    private final Choice choice;

    // Written under this; the path and the entry not any more when it is closed.
    private volatile FastPath path;
    private State state = State.WAITING;
    private boolean closed;
    /** The reason at which it is counted, or null. */
    private Reason counted;
    /** When what has failed is tried again; null before the first time. */
    private volatile BackOff backOff;
    /** An accepted connection's: where it was accepted, until offers can find it; and by what they do then. */
    private Negotiator.Listening listening;
    private Negotiator.Accepted entry;
    /** While it may still be offered a way between hosts. */
    private volatile Opening opening;

    /**
     * @param choice what the connection may use
     * @param listening where it was accepted; null if it has connected, or offers can't find it
     */
    Candidacy(JFSSocketImpl socket, Installation installation, Choice choice, Negotiator.Listening listening) {
        this.socket = socket;
        this.installation = installation;
        this.choice = choice;
        this.listening = listening;
        this.opening = choice.betweenHosts() ? new Opening() : null;
    }

    /** Bytes that go over TCP, before they go. */
    void sending(byte[] from, int offset, int length) {
        Opening it = opening;
        if (it != null) {
            it.sending(from, offset, length);
        }
    }

    /** Bytes that have come over TCP. */
    void received(byte[] into, int offset, int length) {
        Opening it = opening;
        if (it != null) {
            it.received(into, offset, length);
        }
    }

    @Override
    public Opening opening() {
        return opening;
    }

    /** @return null while there is none */
    FastPath path() {
        return path;
    }

    /** Offers can find it from now on, if it was accepted by a listener that they can find. Once is enough. */
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
        Negotiator.Accepted made;
        try {
            made = from.awaitOffers(this, choice, remotePort, localPort);
        } catch (NoResourcesException | OutOfMemoryError e) { // the read or write that came by has moved bytes, as in offer
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

    /** Under this, before what has failed once is tried again. */
    private void beginAgain() {
        if (backOff != null) {
            backOff.begun();
            Stats.RETRIES.increment();
        }
    }

    /** Whether what has failed, its offer or to be found by one, is to be tried again now. */
    boolean isRetryDue() {
        BackOff it = backOff;
        return it != null && it.isDue();
    }

    /** It has become a conversation, or its offer is to be made again. Once is enough. */
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
        } catch (OutOfMemoryError e) { // the read or write that came by has moved bytes: it must say so to its program
            defer(Reason.NO_RESOURCES, e.getMessage());
        }
    }

    @Override
    public TcpDescriptor tcp() {
        return socket.tcp();
    }

    @Override
    public boolean attach(FastPath fast) {
        Negotiator.Accepted found;
        boolean betweenHosts;
        Reason before;
        synchronized (this) {
            if (closed || path != null) {
                return false;
            }
            try {
                socket.beginNoDelay(); // before the peer can learn of this end's path, and so switch (SWITCH-6)
            } catch (IOException e) { // it is being closed
                return false;
            }
            betweenHosts = choice.betweenHosts();
            path = fast;
            state = State.ATTACHED;
            opening = null;
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
                opening = null;
                backOff = null;
            } else if (state == State.OFFERED || listening != null) { // else it is the peer that tries again
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

    /** Whether an offer that is made again fails so where the peer, or the connection, has ended it: the first reason was why. */
    private static boolean saysNoMore(Reason reason) {
        return reason == Reason.STALE || reason == Reason.NOT_MINE || reason == Reason.NO_PEER
                || reason == Reason.TRANSLATED;
    }

    /**
     * By who finds that it can't switch: that may be for good.
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

    /** Its socket is closed: from now on it gets no path and no entry. */
    synchronized void close() {
        closed = true;
    }

    /** After {@link #close}: why it has no path, or none of use, if nobody has said so yet. */
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

    /** After {@link #close}: offers don't find it any more. */
    void leave() {
        Negotiator.Accepted found;
        synchronized (this) {
            found = entry;
        }
        if (found != null) {
            found.forget();
        }
    }
}
