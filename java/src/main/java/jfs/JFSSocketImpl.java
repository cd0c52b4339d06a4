package jfs;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.util.Set;
import jfs.config.Settings;
import jfs.negotiation.Choice;
import jfs.negotiation.Negotiator;
import jfs.negotiation.Refusal;
import jfs.spi.FastPath;
import jfs.spi.NoResourcesException;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.transport.tcp.TcpEnd;
import jfs.transport.tcp.TcpPolling;
import jfs.transport.tcp.TcpSocket;
import jfs.wait.IdleWatch;
import jfs.wait.Polling;

/**
 * A socket that is a kernel TCP socket, in general the JDK's own, for its whole life, and whose bytes take a fast path
 * beside it when both ends can. Everything that is not about bytes (addresses, options, connect, accept) goes straight to
 * the TCP socket; the two streams decide where bytes go.
 *
 * <p>Thread-safe as {@code java.net} needs it; {@link #close()} blocks for SO_LINGER only. {@code fd} stays null: the descriptor is
 * the TCP socket's.
 */
public final class JFSSocketImpl extends SocketImpl {

    private static final Refusal NO_NAME = new Refusal(Reason.NO_NAME, null);

    private final Installation installation;
    private final TcpSocket.Use use;

    /** The socket underneath and its streams, made together. */
    private volatile TcpEnd tcp;
    private volatile SocketInputStream in;
    private volatile SocketOutputStream out;

    private volatile boolean closed;
    private volatile boolean wasConnected;
    private volatile boolean accepted;
    private volatile int timeout;
    private volatile boolean oobInline;

    /** A listening socket's; an accepted one's, until it has a candidacy, is that of its listener. Guarded by this. */
    private Negotiator.Listening listening;
    /** Why a listening socket's connections can't be found while it has no such thing. */
    private volatile Refusal unlisted = NO_NAME;

    /** Those of TCP beside a path; null while there is none. Guarded by this. */
    private PathOptions options;

    private final Conversation conversation = new Conversation();
    /** Null before the connection is a conversation, and where it stays on TCP in any case. Written under this. */
    private volatile Candidacy candidacy;

    JFSSocketImpl(Installation installation, TcpSocket.Use use) {
        this.installation = installation;
        this.use = use;
    }

    /** The socket underneath, made at first use. */
    TcpEnd tcp() {
        TcpEnd it = tcp;
        if (it == null) {
            synchronized (this) {
                if (tcp == null) {
                    use(installation.newTcpSocket(use));
                }
                it = tcp;
            }
        }
        return it;
    }

    private void use(TcpEnd socket) {
        in = new SocketInputStream(this, socket);
        out = new SocketOutputStream(this, socket);
        tcp = socket;
    }

    /** Null while there is none. */
    FastPath path() {
        Candidacy it = candidacy;
        return it == null ? null : it.path();
    }

    boolean closed() {
        return closed;
    }

    /** What a call fails of: whatever it is, a close that came before is told of instead, as NioSocketImpl has it. */
    IOException closedOr(IOException failure) {
        return closed ? new SocketException("Socket closed") : failure;
    }

    IdleWatch idleWatch() {
        return installation.negotiator().idleWatch();
    }

    int timeout() {
        return timeout;
    }

    /** The last that the peer is told is what is so, whoever changes it meanwhile. */
    void tellOobInline(FastPath fast) {
        synchronized (this) {
            fast.takeUrgent(oobInline);
        }
    }

    // java.net: setting up.

    @Override
    protected void create(boolean stream) throws IOException {
        tcp().create(stream);
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress address, int port) throws IOException {
        connect(new InetSocketAddress(address, port), 0);
    }

    @Override
    protected void connect(SocketAddress remote, int millis) throws IOException {
        TcpEnd socket = tcp();
        try {
            socket.connect(remote, millis);
            socket.connected();
            wasConnected = true;
            Stats.CONNECTIONS.increment();
            Step.CONNECTED.reached();
        } catch (SocketTimeoutException e) {
            throw closedOr(e);
        } finally {
            takeAddresses(socket);
        }
        Choice choice = choice();
        Refusal refusal = choice.refusal();
        if (refusal == null && socket.proxied()) {
            refusal = new Refusal(Reason.PROXIED, null);
        }
        if (refusal != null) {
            Stats.fallback(refusal.reason(), this, refusal.detail());
            return;
        }
        if (choice.betweenHosts()) { // its first bytes are of interest
            candidacy();
        }
        int upgradeAfter = installation.settings().upgradeAfter();
        conversation.beginAsking(upgradeAfter, upgradeAfter);
        if (upgradeAfter == 0) {
            negotiate();
        }
    }

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        tcp().bind(host, port);
        takeAddresses(tcp());
    }

    @Override
    protected void listen(int backlog) throws IOException {
        tcp().listen(backlog);
        takeAddresses(tcp());
        Negotiator.Listening found;
        try {
            found = installation.negotiator().listening(this, address, localport);
        } catch (NoResourcesException e) {
            unlisted = new Refusal(Reason.NO_RESOURCES, e.getMessage());
            return;
        }
        if (found == null) {
            return;
        }
        synchronized (this) {
            if (!closed) {
                listening = found;
                return;
            }
        }
        found.close();
    }

    @Override
    protected void accept(SocketImpl other) throws IOException {
        if (!(other instanceof JFSSocketImpl end)) { // as java.net has it for implementations that don't fit
            throw new IOException("An instance of " + getClass() + " cannot accept a connection with an instance of "
                    + other.getClass());
        }
        if (end.wasConnected) { // its streams are those of that connection
            throw new SocketException("JFS can't accept into a socket that was connected before");
        }
        TcpEnd connection;
        try {
            connection = tcp().accept();
        } catch (SocketTimeoutException e) {
            throw closedOr(e);
        }
        boolean kept = false;
        try {
            Step.ACCEPTED.reached();
            kept = end.become(connection);
        } finally {
            if (!kept) { // nobody else could close it any more
                connection.close();
            }
        }
        if (!kept) {
            throw new SocketException("Socket is closed");
        }
        Stats.CONNECTIONS.increment();
        Negotiator.Listening from;
        synchronized (this) {
            from = listening;
        }
        end.acceptedFrom(from, unlisted);
    }

    /**
     * A subclass of ServerSocket may pass a socket that was created before: it keeps its SO_TIMEOUT only.
     *
     * @return false if it is closed
     */
    private boolean become(TcpEnd connection) throws IOException {
        TcpEnd old;
        synchronized (this) { // as in close(): who comes second finds what the other one has left
            if (closed) {
                return false;
            }
            old = tcp;
            use(connection);
            wasConnected = true;
            accepted = true;
        }
        connection.connected();
        takeAddresses(connection);
        if (old != null) {
            old.closeWhenUnused();
        }
        if (timeout > 0) {
            connection.setOption(SocketOptions.SO_TIMEOUT, timeout);
        }
        return true;
    }

    /**
     * Offers can find it when it looks like a conversation (NEG-4), or at once where they may come at once. One that stays on TCP can be
     * found too: then its peer is told why.
     *
     * @param listener null if offers can't find it
     * @param unlisted why not
     */
    private void acceptedFrom(Negotiator.Listening listener, Refusal unlisted) {
        Choice choice = choice();
        Refusal refusal = choice.refusal();
        if (listener == null) {
            refusal = refusal != null ? refusal : unlisted;
            Stats.fallback(refusal.reason(), this, refusal.detail());
            return;
        }
        synchronized (this) {
            listening = listener;
        }
        Settings settings = installation.settings();
        conversation.beginAsking(settings.awaitOffersAfter(), settings.awaitStreamOffersAfter());
        if (listener.isFoundBy(choice)) {
            negotiate();
        }
        if (refusal != null) {
            Candidacy it = candidacy();
            if (it != null) {
                it.fallback(refusal.reason(), refusal.detail());
            }
        }
    }

    /** What its connection may use. */
    private Choice choice() {
        return accepted ? installation.negotiator().accepting(address, localport)
                : installation.negotiator().connecting(address, port);
    }

    private void takeAddresses(TcpSocket from) {
        address = from.getInetAddress();
        port = from.getPort();
        localport = from.getLocalPort();
    }

    // Negotiation.

    /** Made at first use; null if the socket is closed, or if there is no memory for it now. */
    private Candidacy candidacy() {
        Candidacy it = candidacy;
        if (it != null) {
            return it;
        }
        try {
            Choice choice = choice();
            synchronized (this) {
                if (candidacy == null && !closed) {
                    candidacy = new Candidacy(this, installation, choice, listening);
                    listening = null;
                }
                return candidacy;
            }
        } catch (OutOfMemoryError e) { // must not fail a read or write that has moved bytes, or an accept; the next call tries again
            return null;
        }
    }

    /** The end that has connected offers; the one that was accepted can be found from now on. */
    private void negotiate() {
        Candidacy it = candidacy();
        if (it == null) {
            return;
        }
        conversation.endAsking();
        if (accepted) {
            it.awaitOffers(port, localport);
        } else {
            it.offer(!conversation.heard());
        }
    }

    /** Called by the reader for each read over TCP. */
    void receivedOverTcp(byte[] into, int offset, int bytes) {
        Candidacy it = candidacy;
        if (it != null) {
            it.received(into, offset, bytes);
        }
        if (conversation.received(bytes) || it != null && it.isRetryDue()) {
            negotiate();
        }
    }

    /** Called by the writer before each write over TCP. */
    void sendingOverTcp(byte[] from, int offset, int bytes) {
        Candidacy it = candidacy;
        if (it != null) {
            it.sending(from, offset, bytes);
        }
    }

    /** Called by the writer after each write over TCP. */
    void sentOverTcp(int bytes) {
        Candidacy it = candidacy;
        if (conversation.sent(bytes) || it != null && it.isRetryDue()) {
            negotiate();
        }
    }

    /** Called by the writer where it has a path that it can't use yet, or ever. */
    void lookAtPath() {
        candidacy.lookAtPath(false);
    }

    /**
     * It is about to have a path.
     *
     * @throws IOException if it is being closed
     */
    synchronized void beginNoDelay() throws IOException {
        options = new PathOptions(tcp);
    }

    /** It stays on TCP after all. */
    synchronized void endNoDelay() {
        options.endNoDelay();
    }

    /** It has a path to another host: TCP will be silent. */
    synchronized void keepTcpAlive() {
        options.keepAlive(installation.settings().hostsKeepAlive());
    }

    Conversation conversation() {
        return conversation;
    }

    /** Null where a descriptor can't be polled. */
    Polling newTcpPolling() {
        return installation.unavailable() != null ? null
                : TcpPolling.of(accepted, installation.settings().pollMicros());
    }

    // java.net: bytes.

    @Override
    protected InputStream getInputStream() throws IOException {
        return in;
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        return out;
    }

    @Override
    protected int available() throws IOException {
        if (closed) {
            throw new SocketException("Socket closed");
        }
        if (in.isShut()) {
            return 0;
        }
        return tcp().available() + in.availableInPath();
    }

    @Override
    protected void shutdownInput() throws IOException {
        tcp().shutdownInput();
        in.shut();
        FastPath fast = path();
        if (fast != null) {
            fast.wake();
        }
        endReceivingIfNothingIsSent();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        if (closed || !out.shut()) {
            tcp().shutdownOutput();
            out.tcpIsShut();
        }
        endReceivingIfNothingIsSent();
    }

    /**
     * Who has shut down both halves answers bytes with a reset, as who has closed does; one half alone takes them. Not
     * before TCP's output is shut down: a peer's writer that is told asks TCP what becomes of its bytes.
     */
    void endReceivingIfNothingIsSent() {
        FastPath fast = path();
        if (fast != null && in.isShut() && out.isTcpShut()) {
            fast.closeReceiver();
        }
    }

    /** TCP's part of shutdownOutput, when the path's part is done. */
    void shutdownTcpOutput() {
        PathCloser.shutdownOutput(tcp());
    }

    @Override
    protected boolean supportsUrgentData() {
        return tcp().supportsUrgentData();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        out.writeUrgent(data);
    }

    @Override
    protected void close() throws IOException {
        boolean unread;
        Negotiator.Listening ownName;
        Candidacy candidate;
        synchronized (this) {
            if (closed || tcp == null) {
                closed = true;
                return;
            }
            unread = in.hasUnread(); // before closed, which lets the memory go
            closed = true;
            ownName = accepted ? null : listening;
            listening = null;
            candidate = candidacy;
        }
        if (candidate != null) {
            candidate.close();
        }
        FastPath fast = path();
        try { // whatever fails on the way, for want of memory or in a program's System.err, must not keep what is below
            Step.CLOSING.reached();
            if (candidate != null) {
                candidate.decide();
            } else if (conversation.isAsking()) {
                Stats.fallback(Reason.NOT_ASKED, this, null);
            }
        } finally {
            try {
                if (fast == null) {
                    tcp.closeWhenUnused();
                } else {
                    new PathCloser(fast, tcp, in, out).close(unread);
                }
            } finally { // after TCP's end: a client that finds the name gone asks TCP whether that is why
                leaveNegotiation(ownName, candidate);
            }
        }
    }

    private static void leaveNegotiation(Negotiator.Listening ownName, Candidacy candidate) {
        try {
            if (ownName != null) {
                ownName.close();
            }
        } finally {
            if (candidate != null) {
                candidate.leave();
            }
        }
    }

    // java.net: options and addresses.

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return tcp().supportedOptions();
    }

    @Override
    protected synchronized <T> void setOption(SocketOption<T> name, T value) throws IOException {
        if (options != null) {
            options.set(name, value);
        } else {
            tcp().setOption(name, value);
        }
    }

    @Override
    protected synchronized <T> T getOption(SocketOption<T> name) throws IOException {
        return options != null ? options.get(name) : tcp().getOption(name);
    }

    @Override
    public synchronized void setOption(int option, Object value) throws SocketException {
        if (options != null) {
            options.set(option, value);
        } else {
            tcp().setOption(option, value);
        }
        if (option == SocketOptions.SO_TIMEOUT) {
            timeout = (Integer) value;
        } else if (option == SocketOptions.SO_OOBINLINE) {
            oobInline = (Boolean) value;
            FastPath fast = path();
            if (fast != null) {
                tellOobInline(fast);
            }
        }
    }

    @Override
    public synchronized Object getOption(int option) throws SocketException {
        return options != null ? options.get(option) : tcp().getOption(option);
    }

    /** Null: the descriptor is the TCP socket's and may not be used beside it. */
    @Override
    protected FileDescriptor getFileDescriptor() {
        return null;
    }
}
