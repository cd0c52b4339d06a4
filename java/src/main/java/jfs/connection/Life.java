package jfs.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.config.Settings;
import jfs.connection.options.PathOptions;
import jfs.monitor.ConnectionTable;
import jfs.monitor.RowWaits;
import jfs.negotiation.Negotiator;
import jfs.negotiation.handshake.AcceptedSockets;
import jfs.negotiation.handshake.Endpoint;
import jfs.negotiation.handshake.StreamPrefix;
import jfs.negotiation.policy.Choice;
import jfs.negotiation.policy.Refusal;
import jfs.spi.FastPath;
import jfs.spi.NoResourcesException;
import jfs.spi.Preferences;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.transport.tcp.TcpEnd;

/**
 * The life of one end of a connection: whether it has a fast path, may get one, or stays on TCP. {@link State} draws it. Every change of
 * the state goes through {@link #become}. The state says nothing about the bytes: each direction of an attached connection switches for
 * itself, and has its own phases ({@link Reader}, {@link Writer}).
 *
 * <p>A connection is counted at one {@link Reason} at a time, and at none once it has its path. A path that fails before any byte has gone
 * by it is a reason too, counted beside its attachment ({@link Stats#fast}).
 *
 * <p>The negotiation refers to a socket by this object only, and only weakly. A socket to which nothing else refers is therefore
 * garbage-collected together with this object.
 *
 * <p>Thread-safe. Nothing here blocks.
 */
abstract class Life implements Endpoint {

    /** Whether a program has stated preferences for any socket. Most never do, and {@link StatedPreferences} is not loaded then. */
    static volatile boolean preferencesAreStated;

    final Environment environment;
    final TcpEnd tcp;
    private final Conversation conversation = new Conversation();

    // Written under this.
    private volatile State state = State.PLAIN;
    /** Set once, when the connection becomes ATTACHED. */
    private volatile FastPath path;
    /** Null while PLAIN. A connection that is refused from the beginning has one only while offers can find it. */
    private volatile Upgrade upgrade;
    /** The options of the TCP socket beside the path. Null while there is no path. */
    private PathOptions options;
    /** Of an accepted connection: the listener that has accepted it, until offers can find the connection. */
    private Negotiator.Listening listening;

    Life(Environment environment, TcpEnd tcp) {
        this.environment = environment;
        this.tcp = tcp;
    }

    /** The connecting end begins to count whether the connection is worth an offer. Called once, when the program's socket refers to it. */
    public void begin() {
        enterTable();
        Choice choice = choice();
        Refusal refusal = choice.refusal();
        if (refusal == null && tcp.proxied()) {
            refusal = new Refusal(Reason.PROXIED, null);
        }
        if (refusal != null) {
            fallback(refusal.reason(), refusal.detail());
            return;
        }
        if (choice.betweenHosts()) { // the candidate keeps the first bytes of the connection
            candidate();
        }
        int upgradeAfter = environment.settings().upgradeAfter();
        conversation.beginCounting(upgradeAfter, upgradeAfter);
        if (upgradeAfter == 0) {
            negotiate();
        }
    }

    /**
     * The accepted end begins to count reads and writes. Offers can find the connection when it looks like a conversation (NEG-4). They can
     * find it at once if its listener already has a name. Offers can also find a connection that stays on TCP, so that its peer is told
     * why. Called once, when the program's socket refers to the connection.
     *
     * @param from the listener; null if offers can't find its connections
     * @param unlisted why offers can't find them; not used otherwise
     */
    public void beginAccepted(Negotiator.Listening from, Refusal unlisted) {
        enterTable();
        Choice choice = choice();
        Refusal refusal = choice.refusal();
        if (from == null) {
            refusal = refusal != null ? refusal : unlisted;
            fallback(refusal.reason(), refusal.detail());
            return;
        }
        synchronized (this) {
            listening = from;
        }
        Settings settings = environment.settings();
        conversation.beginCounting(settings.awaitOffersAfter(), settings.awaitStreamOffersAfter());
        if (from.isFoundBy(choice) && mayNegotiate()) {
            negotiate();
        }
        if (refusal != null) {
            fallback(refusal.reason(), refusal.detail());
        }
    }

    private void enterTable() {
        int row = ConnectionTable.enter(this, tcp.getInetAddress(), tcp.getPort(), tcp.getLocalPort(), isOfChannel(), tcp.isAccepted());
        conversation.countIn(row);
        Stats.began(row);
        environment.connectionBegan();
    }

    /** The connection's row in the table of this process ({@link ConnectionTable#enter}). */
    final int row() {
        return conversation.row();
    }

    /** What the program prefers for this connection; null if it has not said so. */
    final Preferences preferences() {
        return preferencesAreStated ? StatedPreferences.of(this) : null;
    }

    /** Whether the program has a SocketChannel; else it has a Socket. */
    protected boolean isOfChannel() {
        return false;
    }

    /** What the connection may use. */
    private Choice choice() {
        return tcp.isAccepted() ? environment.negotiator().accepting(tcp.getInetAddress(), tcp.getLocalPort())
                : environment.negotiator().connecting(tcp.getInetAddress(), tcp.getPort());
    }

    @Override
    public TcpEnd tcp() {
        return tcp;
    }

    /** @return null while there is no path */
    FastPath path() {
        return path;
    }

    /** Called under this. @return null while there is no path */
    PathOptions options() {
        return options;
    }

    public boolean isClosed() {
        State it = state;
        return it == State.CLOSING || it == State.CLOSED;
    }

    /** Whether there is a path. It stays for the life of the connection. */
    public boolean isAttached() {
        return path != null;
    }

    /** Whether there is a path, or one may come: no attempt has failed so far. */
    public synchronized boolean expectsPath() {
        return state == State.ATTACHED || state == State.OFFERED
                || (state == State.PLAIN || state == State.CANDIDATE) && (upgrade == null || upgrade.counted() == null);
    }

    /** The only place where the state changes. Called under this. */
    private void become(State next) {
        assert Thread.holdsLock(this) && state.mayBecome(next) : state + " to " + next;
        state = next;
        ConnectionTable.state(row(), next.ordinal());
        assert (next != State.ATTACHED || path != null && options != null && upgrade != null) : "no path";
        assert (next != State.CANDIDATE && next != State.OFFERED || path == null && upgrade != null) : "no candidate";
    }

    /**
     * Makes the upgrade, at first use.
     *
     * @return null if the connection was closed before it had one, or if there is no memory for it now
     */
    Upgrade candidate() {
        Upgrade it = upgrade;
        if (it != null) {
            return it;
        }
        try {
            Choice choice = choice();
            synchronized (this) {
                if (upgrade == null && !isClosed()) {
                    upgrade = new Upgrade(choice);
                    if (state == State.PLAIN) {
                        become(State.CANDIDATE);
                    }
                }
                return upgrade;
            }
        } catch (OutOfMemoryError e) { // must not fail a read or write that has moved bytes, or an accept; the next call tries again
            return null;
        }
    }

    /** Whether an attempt may begin now. If not, the connection asks again at its next read or write. */
    protected boolean mayNegotiate() {
        return true;
    }

    /** The connecting end makes an offer. At the accepted end offers can find the connection from now on. */
    private void negotiate() {
        Upgrade it = candidate();
        if (it == null) {
            return;
        }
        conversation.endCounting();
        if (tcp.isAccepted()) {
            awaitOffers(it);
        } else {
            offer(it);
        }
    }

    /** Offers the connection when it has become a conversation, and again when a failed offer is due. Other calls do nothing. */
    private void offer(Upgrade it) {
        synchronized (this) {
            if (state != State.CANDIDATE) {
                return;
            }
            become(State.OFFERED);
            beginAttempt(it);
        }
        try {
            Step.OFFER_DUE.reached();
            environment.negotiator().offer(this, it.choice(), !conversation.hasReceived());
        } catch (OutOfMemoryError e) { // the calling read or write has moved bytes, and must report them to the program
            defer(Reason.NO_RESOURCES, e.getMessage());
        }
    }

    /** From now on offers can find the connection, if they can find the listener that accepted it. The first success counts. */
    private void awaitOffers(Upgrade it) {
        Negotiator.Listening from;
        synchronized (this) {
            from = listening;
            if (from == null || isClosed()) {
                return;
            }
            listening = null;
            beginAttempt(it);
        }
        AcceptedSockets.Entry made;
        try {
            made = from.awaitOffers(this, it.choice(), tcp.getPort(), tcp.getLocalPort());
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
            if (path == null && !isClosed()) {
                it.foundBy(made);
                return;
            }
        }
        made.forget();
    }

    private static void beginAttempt(Upgrade it) {
        if (it.beginAttempt()) {
            Stats.RETRIES.increment();
        }
    }

    @Override
    public StreamPrefix streamPrefix() {
        Upgrade it = upgrade;
        return it == null ? null : it.prefix();
    }

    @Override
    public boolean attach(FastPath fast) {
        AcceptedSockets.Entry found;
        Reason before;
        Upgrade it = upgrade;
        if (isClosed()) { // a thread that lingers in a close may hold up one that has the monitor, and the caller must not wait for it
            return false;
        }
        synchronized (this) {
            if (isClosed() || path != null) {
                return false;
            }
            try {
                options = new PathOptions(tcp); // before the peer can learn of this end's path and switch (SWITCH-6)
            } catch (IOException e) { // the socket is being closed
                return false;
            }
            RowWaits.count(fast, row());
            Preferences preferences = preferences();
            if (preferences != null) {
                fast.prefer(preferences);
            }
            path = fast;
            become(State.ATTACHED);
            ConnectionTable.transport(row(), fast.transport());
            ConnectionTable.reason(row(), -1, null);
            it.end();
            found = it.takeEntry();
            before = it.counted(null);
            if (it.choice().betweenHosts()) { // nothing will go over TCP
                options.keepAlive(environment.settings().hostsKeepAlive());
            }
        }
        if (before != null) {
            Stats.passed(before, this);
        }
        Stats.attached(fast.transport(), this);
        if (found != null) {
            found.forget();
        }
        return true;
    }

    @Override
    public void defer(Reason reason, String detail) {
        stayOnTcp(State.CANDIDATE, reason, detail);
    }

    @Override
    public void fallback(Reason reason, String detail) {
        stayOnTcp(State.REFUSED, reason, detail);
    }

    /** The connection stays on TCP, for now or for good. */
    private void stayOnTcp(State next, Reason reason, String detail) {
        Reason before;
        if (isClosed()) { // as in attach
            return;
        }
        synchronized (this) {
            if (isClosed() || state == State.ATTACHED || state == State.REFUSED) {
                return;
            }
            boolean triesAgain = next == State.CANDIDATE && (state == State.OFFERED || listening != null); // otherwise the peer tries again
            become(next);
            if (triesAgain) {
                upgrade.failed(reason == Reason.NO_PEER || reason == Reason.NOT_MINE);
            } else if (next == State.REFUSED && upgrade != null) {
                upgrade.end();
            }
            before = upgrade == null ? null : upgrade.counted();
            if (before == reason || before != null && isAboutAnEnd(reason)) {
                return;
            }
            ConnectionTable.reason(row(), reason.ordinal(), detail);
            if (upgrade != null) { // otherwise the connection stays counted at this reason
                upgrade.counted(reason);
            }
        }
        if (before != null) {
            Stats.passed(before, this);
        }
        Stats.fallback(reason, this, row(), detail);
    }

    /**
     * Whether a repeated offer fails for this reason when the peer or the connection has ended. Then the earlier reason is kept, because it
     * tells why there is no path.
     */
    private static boolean isAboutAnEnd(Reason reason) {
        return reason == Reason.STALE || reason == Reason.NOT_MINE || reason == Reason.NO_PEER
                || reason == Reason.TRANSLATED;
    }

    /**
     * Called by the writer when there is a path that it can't use now. The connection may then stay on TCP for its whole life, and the
     * kernel gets the program's options back.
     */
    void refuseIfPathIsUnused() {
        String why = path.whyUnused(false);
        if (why == null) {
            return;
        }
        synchronized (this) {
            if (state != State.ATTACHED) {
                return;
            }
            become(State.REFUSED);
            options.endNoDelay();
            ConnectionTable.reason(row(), Reason.PATH_FAILED.ordinal(), why);
        }
        Stats.fallback(Reason.PATH_FAILED, this, row(), why);
    }

    /** The connection begins to close. Called under this. @return the state that it was in */
    State beginClose() {
        State was = state;
        become(State.CLOSING);
        return was;
    }

    /** Why a connection that is closed now has no path, if it is not counted at a reason yet. Called under this. */
    Reason whyNotFast() {
        if (upgrade != null && upgrade.counted() != null) {
            return null;
        }
        if (state == State.OFFERED) {
            return Reason.STALE;
        }
        if (state == State.CANDIDATE && upgrade.canBeFound()) {
            return Reason.NO_OFFER;
        }
        return state == State.CANDIDATE || state == State.PLAIN && conversation.isCounting() ? Reason.NOT_ASKED : null;
    }

    /** From now on offers don't find the connection. */
    void leaveNegotiation() {
        AcceptedSockets.Entry found;
        synchronized (this) {
            become(State.CLOSED);
            ConnectionTable.leave(row());
            listening = null;
            found = upgrade == null ? null : upgrade.takeEntry();
        }
        if (found != null) {
            found.forget();
        }
    }

    // What the two directions tell.

    /** Called by the reader for each read over TCP. @param into null if the bytes are in the buffer, in front of its position */
    void receivedOverTcp(byte[] into, ByteBuffer buffer, int offset, int bytes) {
        Upgrade it = upgrade;
        if (it != null && into != null) {
            it.received(into, offset, bytes);
        } else if (it != null) {
            it.received(buffer, bytes);
        }
        if ((conversation.received(bytes) || it != null && it.isRetryDue()) && mayNegotiate()) {
            negotiate();
        }
    }

    /**
     * Called by the writer before each write over TCP.
     *
     * @param from null if the bytes are in the buffer, and TCP may take fewer of them
     * @return for {@link #triedOverTcp}
     */
    public int sendingOverTcp(byte[] from, ByteBuffer buffer, int offset, int bytes) {
        Upgrade it = upgrade;
        if (it != null && from != null) {
            it.sending(from, offset, bytes);
        }
        return it != null && from == null ? it.sending(buffer) : 0;
    }

    /** Called by the writer when TCP has taken so many bytes of the buffer. @param before what {@link #sendingOverTcp} has returned */
    public void triedOverTcp(int before, int bytes) {
        Upgrade it = upgrade;
        if (it != null) {
            it.sent(before, bytes);
        }
    }

    /** Called by the writer after each write over TCP. */
    void sentOverTcp(int bytes) {
        Upgrade it = upgrade;
        if ((conversation.sent(bytes) || it != null && it.isRetryDue()) && mayNegotiate()) {
            negotiate();
        }
    }

    /** Whether the reader's next read is for an answer, as far as this end can know. Each write is asked for once. */
    boolean takeAnswerDue() {
        return conversation.takeAnswerDue();
    }
}
