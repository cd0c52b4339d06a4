package jfs;

import jfs.negotiation.Choice;
import jfs.negotiation.Endpoint;
import jfs.negotiation.Negotiator;
import jfs.negotiation.Opening;
import jfs.negotiation.Refusal;
import jfs.spi.FastPath;
import jfs.spi.TcpDescriptor;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;

/**
 * What becomes of one socket's connection: from its connect or accept on it waits to become a conversation, then it is
 * offered, then it has a fast path or a reason to stay on TCP; counted and logged once. This is what the negotiation holds
 * of a socket: weakly, so a socket nobody refers to is collected with it. A path that fails before anything has gone by it is
 * a reason too, counted beside its attachment ({@link Stats#fast}).
 *
 * <p>Thread-safe. Nothing here blocks.
 */
final class Candidacy implements Endpoint {

    private enum State { WAITING, OFFERED, ATTACHED, DECIDED }

    private final JFSSocketImpl socket;
    private final Installation installation;

    // Written under this; the path and the entry not any more when it is closed.
    private volatile FastPath path;
    private State state = State.DECIDED;
    private boolean closed;
    /** An accepted connection's. */
    private Negotiator.Accepted entry;
    private Choice choice;
    /** While it may still be offered a way between hosts. */
    private volatile Opening opening;

    Candidacy(JFSSocketImpl socket, Installation installation) {
        this.socket = socket;
        this.installation = installation;
    }

    /** There is a connection now. */
    synchronized void begin() {
        state = State.WAITING;
    }

    /**
     * What it may use; before its first byte.
     *
     * @return why it stays on TCP, or null
     */
    synchronized Refusal mayUse(Choice choice) {
        this.choice = choice;
        opening = choice.betweenHosts() ? new Opening() : null;
        return choice.refusal();
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

    /** It was accepted by a listener, and offers can find it from now on. */
    void register(Negotiator.Listening listening, int remotePort, int localPort) {
        Negotiator.Accepted made = listening.accepted(this, choice, remotePort, localPort);
        synchronized (this) {
            if (path == null && !closed) {
                entry = made;
                return;
            }
        }
        made.forget();
    }

    /** It has become a conversation. Once is enough. */
    void offer(boolean early) {
        synchronized (this) {
            if (state != State.WAITING || closed) {
                return;
            }
            state = State.OFFERED;
        }
        try {
            Step.OFFER_DUE.reached();
            installation.negotiator().offer(this, choice, early);
        } catch (OutOfMemoryError e) { // the read or write that came by has moved bytes: it must say so to its program
            fallback(Reason.NO_RESOURCES, e.getMessage());
        }
    }

    @Override
    public TcpDescriptor tcp() {
        return socket.tcpEnd();
    }

    @Override
    public boolean attach(FastPath fast) {
        Negotiator.Accepted found;
        boolean betweenHosts;
        synchronized (this) {
            if (closed || path != null) {
                return false;
            }
            betweenHosts = choice.betweenHosts();
            path = fast;
            state = State.ATTACHED;
            opening = null;
            found = entry;
            entry = null;
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
    public void fallback(Reason reason, String detail) {
        synchronized (this) {
            if (state == State.ATTACHED || state == State.DECIDED) {
                return;
            }
            state = State.DECIDED;
            opening = null;
        }
        Stats.fallback(reason, socket, detail);
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
