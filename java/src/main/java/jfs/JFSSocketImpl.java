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
import jfs.negotiation.Negotiator;
import jfs.negotiation.policy.Choice;
import jfs.negotiation.policy.Refusal;
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
 * JFS's socket. It has a kernel TCP socket, in general the JDK's own, for its whole life. Its bytes take a fast path beside TCP when
 * both ends can. Everything that is not about bytes (addresses, most options, connect, accept) goes straight to the TCP socket. The two
 * streams decide which way the bytes go.
 *
 * <p>Thread-safe as {@code java.net} needs it. {@link #close()} blocks for SO_LINGER only. {@code fd} stays null, because the descriptor
 * belongs to the TCP socket.
 */
public final class JFSSocketImpl extends SocketImpl {

    private static final Refusal NO_NAME = new Refusal(Reason.NO_NAME, null);

    private final Installation installation;
    private final TcpSocket.Use use;

    /** The TCP socket below this socket, and the two streams. They are made together. */
    private volatile TcpEnd tcp;
    private volatile SocketInputStream in;
    private volatile SocketOutputStream out;

    private volatile boolean closed;
    private volatile boolean wasConnected;
    private volatile boolean accepted;
    private volatile int timeout;
    private volatile boolean oobInline;

    /** Of a listening socket: its own. Of an accepted socket: its listener's, until there is a candidacy. Guarded by this. */
    private Negotiator.Listening listening;
    /** Of a listening socket: why offers can't find its connections while {@code listening} is null. */
    private volatile Refusal unlisted = NO_NAME;

    /** The options of the TCP socket beside a path; null while there is no path. Guarded by this. */
    private PathOptions options;

    private final Conversation conversation = new Conversation();
    /** Null before the connection is a conversation, and where it stays on TCP in any case. Written under this. */
    private volatile Candidacy candidacy;

    JFSSocketImpl(Installation installation, TcpSocket.Use use) {
        this.installation = installation;
        this.use = use;
    }

    /** The TCP socket below this socket, made at first use. */
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

    /** @return null while there is no path */
    FastPath path() {
        Candidacy it = candidacy;
        return it == null ? null : it.path();
    }

    boolean closed() {
        return closed;
    }

    /** The exception with which a call fails. If the socket was closed before, that is reported instead, as by NioSocketImpl. */
    IOException closedOr(IOException failure) {
        return closed ? new SocketException("Socket closed") : failure;
    }

    IdleWatch idleWatch() {
        return installation.idleWatch();
    }

    int timeout() {
        return timeout;
    }

    /** Several threads may change the flag at the same time. The value that is sent to the peer last is always the current one. */
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
        if (choice.betweenHosts()) { // the candidacy keeps the first bytes of the connection
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
        if (!(other instanceof JFSSocketImpl end)) { // as java.net does for implementations that don't fit
            throw new IOException("An instance of " + getClass() + " cannot accept a connection with an instance of "
                    + other.getClass());
        }
        if (end.wasConnected) { // its streams belong to that connection
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
            if (!kept) { // no other code could close the connection
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
     * Becomes the socket of an accepted connection. A subclass of ServerSocket may pass a socket that was created before. That socket keeps
     * only its SO_TIMEOUT.
     *
     * @return false if this socket is closed
     */
    private boolean become(TcpEnd connection) throws IOException {
        TcpEnd old;
        synchronized (this) { // as in close(): the later one of the two calls sees what the earlier one has done
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
     * Offers can find the connection when it looks like a conversation (NEG-4), or at once where offers may come at once. Offers can also
     * find a connection that stays on TCP, so that its peer is told why.
     *
     * @param listener null if offers can't find the connection
     * @param unlisted why offers can't find it
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

    /** What the connection may use. */
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

    /** The connecting end makes an offer. At the accepted end offers can find the connection from now on. */
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

    /** Called by the writer when there is a path that it can't use yet, or can never use. */
    void lookAtPath() {
        candidacy.lookAtPath(false);
    }

    /**
     * Called when the connection is about to have a path.
     *
     * @throws IOException if the socket is being closed
     */
    synchronized void beginNoDelay() throws IOException {
        options = new PathOptions(tcp);
    }

    /** Called when the connection stays on TCP after all. */
    synchronized void endNoDelay() {
        options.endNoDelay();
    }

    /** Called when the connection has a path to another host, because nothing will go over TCP then. */
    synchronized void keepTcpAlive() {
        options.keepAlive(installation.settings().hostsKeepAlive());
    }

    Conversation conversation() {
        return conversation;
    }

    /** @return null where JFS can't poll a descriptor */
    Polling newTcpPolling() {
        int micros = installation.settings().pollMicros();
        return micros == 0 || installation.unavailable() != null ? null : TcpPolling.of(accepted, micros);
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
     * Ends the path's receiver if both halves are shut down. A TCP socket with both halves shut down answers bytes with a reset, as a
     * closed one does. A socket with only its input shut down takes them. This is not done before TCP's output is shut down: when the
     * peer's writer is told of this end, it asks TCP what becomes of its bytes.
     */
    void endReceivingIfNothingIsSent() {
        FastPath fast = path();
        if (fast != null && in.isShut() && out.isTcpShut()) {
            fast.closeReceiver();
        }
    }

    /** Does TCP's part of shutdownOutput, after the path's part. */
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
            unread = in.hasUnread(); // before closed is set, because the memory may be freed then
            closed = true;
            ownName = accepted ? null : listening;
            listening = null;
            candidate = candidacy;
        }
        if (candidate != null) {
            candidate.close();
        }
        FastPath fast = path();
        try { // a failure, for want of memory or in a program's System.err, must not prevent the steps below
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
            } finally { // after TCP's end: a client that does not find the name asks TCP whether it has ended
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

    /** Null, because the descriptor belongs to the TCP socket, and other code may not use it. */
    @Override
    protected FileDescriptor getFileDescriptor() {
        return null;
    }
}
