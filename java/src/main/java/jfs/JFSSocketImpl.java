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
    private final SocketInputStream in = new SocketInputStream(this);
    private final SocketOutputStream out = new SocketOutputStream(this);
    private final KeepAlive keepAlive = new KeepAlive();
    private final NoDelay noDelay = new NoDelay();

    private volatile TcpEnd tcpEnd;
    private volatile TcpSocket tcp;
    private volatile boolean closed;
    private volatile boolean wasConnected;
    private volatile boolean accepted;
    private volatile int timeout;
    private volatile boolean oobInline;

    /** A listening socket's; guarded by this. */
    private Negotiator.Listening listening;
    /** Why its connections can't be found while it has no such thing. */
    private volatile Refusal unlisted = NO_NAME;

    private final Conversation conversation = new Conversation();
    private final Candidacy candidacy;

    JFSSocketImpl(Installation installation, TcpSocket.Use use) {
        this.installation = installation;
        this.use = use;
        this.candidacy = new Candidacy(this, installation);
    }

    /** The socket underneath, made at first use. */
    TcpSocket tcp() {
        TcpSocket it = tcp;
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

    private void use(TcpSocket socket) {
        tcpEnd = new TcpEnd(socket);
        tcp = socket;
    }

    TcpEnd tcpEnd() {
        return tcpEnd;
    }

    FastPath path() {
        return candidacy.path();
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
        TcpSocket socket = tcp();
        try {
            socket.connect(remote, millis);
            wasConnected = true;
            Stats.CONNECTIONS.increment();
            Step.CONNECTED.reached();
        } catch (SocketTimeoutException e) {
            throw closedOr(e);
        } finally {
            takeAddresses(socket);
        }
        Refusal refusal = candidacy.mayUse(installation.negotiator().connecting(address, port));
        if (refusal == null && socket.proxied()) {
            refusal = new Refusal(Reason.PROXIED, null);
        }
        if (refusal != null) {
            Stats.fallback(refusal.reason(), this, refusal.detail());
            return;
        }
        candidacy.begin();
        conversation.beginAsking(installation.settings().upgradeAfter());
        if (installation.settings().upgradeAfter() == 0) {
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
        TcpSocket connection;
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
        Refusal refusal = end.candidacy.mayUse(installation.negotiator().accepting(end.address, end.localport));
        Negotiator.Listening from;
        synchronized (this) {
            from = listening;
        }
        if (from != null) {
            end.acceptedFrom(from);
        } else if (refusal == null) {
            refusal = unlisted;
        }
        if (refusal != null) {
            end.candidacy.fallback(refusal.reason(), refusal.detail());
        }
    }

    /**
     * A subclass of ServerSocket may pass a socket that was created before: it keeps its SO_TIMEOUT only.
     *
     * @return false if it is closed
     */
    private boolean become(TcpSocket connection) throws IOException {
        TcpEnd old;
        synchronized (this) { // as in close(): who comes second finds what the other one has left
            if (closed) {
                return false;
            }
            old = tcpEnd;
            use(connection);
            wasConnected = true;
            accepted = true;
            candidacy.begin();
        }
        takeAddresses(connection);
        if (old != null) {
            old.close();
        }
        if (timeout > 0) {
            connection.setOption(SocketOptions.SO_TIMEOUT, timeout);
        }
        return true;
    }

    /** Offers can find it when it looks like a conversation (R4), or at once where they may come at once. */
    private void acceptedFrom(Negotiator.Listening listener) {
        if (candidacy.acceptedFrom(listener)) {
            negotiate();
        } else {
            conversation.beginAsking(installation.settings().awaitOffersAfter());
        }
    }

    private void takeAddresses(TcpSocket from) {
        address = from.getInetAddress();
        port = from.getPort();
        localport = from.getLocalPort();
    }

    // Negotiation.

    /** The end that has connected offers; the one that was accepted can be found from now on. */
    private void negotiate() {
        conversation.endAsking();
        if (accepted) {
            candidacy.awaitOffers(port, localport);
        } else {
            candidacy.offer(!conversation.heard());
        }
    }

    /** Called by the reader for each read over TCP. */
    void receivedOverTcp(byte[] into, int offset, int bytes) {
        candidacy.received(into, offset, bytes);
        if (conversation.received(bytes) || candidacy.isRetryDue()) {
            negotiate();
        }
    }

    /** Called by the writer before each write over TCP. */
    void sendingOverTcp(byte[] from, int offset, int bytes) {
        candidacy.sending(from, offset, bytes);
    }

    /** Called by the writer after each write over TCP. */
    void sentOverTcp(int bytes) {
        if (conversation.sent(bytes) || candidacy.isRetryDue()) {
            negotiate();
        }
    }

    /** Called by the writer where it can't use the path yet, or ever. */
    void lookAtPath() {
        candidacy.lookAtPath(false);
    }

    /** It has a path to another host: TCP will be silent. */
    void keepTcpAlive() {
        keepAlive.begin(tcp(), installation.settings().hostsKeepAlive());
    }

    /** It is about to have a path. */
    void beginNoDelay() throws IOException {
        noDelay.begin(tcp());
    }

    /** It stays on TCP after all. */
    void endNoDelay() {
        noDelay.end(tcp());
    }

    Conversation conversation() {
        return conversation;
    }

    /** Null where a descriptor can't be polled. */
    TcpPolling newTcpPolling() {
        return installation.unavailable() != null ? null
                : new TcpPolling(tcpEnd, accepted, installation.settings().pollMicros());
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
        if (!out.writeUrgent(data)) {
            tcp().sendUrgentData(data);
        }
    }

    @Override
    protected void close() throws IOException {
        boolean unread;
        Negotiator.Listening ownName;
        synchronized (this) {
            if (closed || tcp == null) {
                closed = true;
                return;
            }
            unread = in.hasUnread(); // before closed, which lets the memory go
            closed = true;
            ownName = listening;
            listening = null;
        }
        candidacy.close();
        FastPath fast = path();
        try { // whatever fails on the way, for want of memory or in a program's System.err, must not keep what is below
            Step.CLOSING.reached();
            candidacy.decide();
        } finally {
            try {
                if (fast == null) {
                    tcpEnd.close();
                } else {
                    new PathCloser(fast, tcp, tcpEnd, in, out).close(unread);
                }
            } finally { // after TCP's end: a client that finds the name gone asks TCP whether that is why
                leaveNegotiation(ownName);
            }
        }
    }

    private void leaveNegotiation(Negotiator.Listening ownName) {
        try {
            if (ownName != null) {
                ownName.close();
            }
        } finally {
            candidacy.leave();
        }
    }

    // java.net: options and addresses.

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return tcp().supportedOptions();
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
        if (KeepAlive.has(name)) {
            keepAlive.set(tcp(), name, value);
        } else if (NoDelay.is(name)) {
            noDelay.set(tcp(), name, value);
        } else {
            tcp().setOption(name, value);
        }
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        if (KeepAlive.has(name)) {
            return keepAlive.get(tcp(), name);
        }
        return NoDelay.is(name) ? noDelay.get(tcp(), name) : tcp().getOption(name);
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        if (KeepAlive.has(option)) {
            keepAlive.set(tcp(), option, value);
        } else if (NoDelay.is(option)) {
            noDelay.set(tcp(), option, value);
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
    public Object getOption(int option) throws SocketException {
        if (KeepAlive.has(option)) {
            return keepAlive.get(tcp(), option);
        }
        return NoDelay.is(option) ? noDelay.get(tcp(), option) : tcp().getOption(option);
    }

    /** Null: the descriptor is the TCP socket's and may not be used beside it. */
    @Override
    protected FileDescriptor getFileDescriptor() {
        return null;
    }
}
