package jfs;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.util.Set;
import jfs.negotiation.Endpoint;
import jfs.negotiation.Negotiator;
import jfs.negotiation.Refusal;
import jfs.spi.FastPath;
import jfs.spi.TcpDescriptor;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.transport.tcp.TcpEnd;
import jfs.transport.tcp.TcpPolling;
import jfs.transport.tcp.TcpSocket;
import jfs.wait.IdleWatch;

/**
 * A socket that is a kernel TCP socket, in general the JDK's own, for its whole life, and whose bytes take a fast path
 * beside it when both ends can. Everything that is not about bytes (addresses, options, connect, accept) goes straight to
 * the TCP socket; the two streams decide where bytes go.
 *
 * <p>Thread-safe as {@code java.net} needs it; {@link #close()} never blocks. {@code fd} stays null: the descriptor is
 * the TCP socket's.
 */
public final class JFSSocketImpl extends SocketImpl {

    private static final int WAITING = 0;
    private static final int OFFERED = 1;
    private static final int DECIDED = 2;

    private final Installation installation;
    private final boolean server;
    private final SocketInputStream in = new SocketInputStream(this);
    private final SocketOutputStream out = new SocketOutputStream(this);
    private final Object stateLock = new Object();

    private volatile TcpEnd tcpEnd;
    private volatile TcpSocket tcp;
    private volatile boolean closed;
    private volatile int timeout;
    private volatile boolean oobInline;

    /** Written once, under stateLock. */
    private volatile FastPath path;

    // A listening socket's, an accepted socket's; guarded by stateLock.
    private Negotiator.Listening listening;
    private Cleaner.Cleanable name;
    private Negotiator.Accepted accepted;
    /** WAITING to become a conversation, OFFERED, DECIDED; guarded by stateLock. */
    private int candidacy = DECIDED;

    private final Conversation conversation;

    JFSSocketImpl(Installation installation, boolean server) {
        this.installation = installation;
        this.server = server;
        this.conversation = new Conversation(installation.settings().upgradeAfter());
    }

    /** The socket underneath, made at first use. */
    TcpSocket tcp() {
        TcpSocket it = tcp;
        if (it == null) {
            synchronized (stateLock) {
                if (tcp == null) {
                    use(installation.newTcpSocket(server));
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

    TcpDescriptor tcpEnd() {
        return tcpEnd;
    }

    FastPath path() {
        return path;
    }

    boolean closed() {
        return closed;
    }

    IdleWatch idleWatch() {
        return installation.negotiator().idleWatch();
    }

    int timeout() {
        return timeout;
    }

    boolean oobInline() {
        return oobInline;
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
            Stats.CONNECTIONS.increment();
        } finally {
            takeAddresses(socket);
        }
        Refusal refusal = installation.negotiator().connecting(address, port);
        if (refusal == null && socket.proxied()) {
            refusal = new Refusal(Reason.PROXIED, null);
        }
        if (refusal != null) {
            Stats.fallback(refusal.reason(), this, refusal.detail());
            return;
        }
        candidacy = WAITING;
        conversation.beginAsking();
        if (installation.settings().upgradeAfter() == 0) {
            offer(true);
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
        Negotiator.Listening found = installation.negotiator().listening(address, localport);
        if (found == null) {
            return;
        }
        synchronized (stateLock) {
            if (!closed) {
                listening = found;
                name = Names.CLEANER.register(this, found::close);
                return;
            }
        }
        found.close();
    }

    /** A listening socket that is garbage gives its name back, as it does its descriptor. */
    private static final class Names {
        static final Cleaner CLEANER = Cleaner.create();
    }

    @Override
    protected void accept(SocketImpl other) throws IOException {
        if (!(other instanceof JFSSocketImpl end)) {
            throw new SocketException("JFS can't accept into a " + other.getClass().getName());
        }
        TcpSocket connection = tcp().accept();
        Stats.CONNECTIONS.increment();
        end.become(connection);
        Refusal refusal = installation.negotiator().accepting(end.address, end.localport);
        synchronized (stateLock) { // close() takes the name away under it: no entry is made on a name that is gone
            if (listening != null) {
                end.register(listening, refusal);
            } else if (refusal == null) {
                refusal = new Refusal(Reason.NO_NAME, null);
            }
        }
        if (refusal != null) {
            end.decide(refusal.reason(), refusal.detail());
        }
    }

    /** A subclass of ServerSocket may pass a socket that was created before: it keeps its SO_TIMEOUT only. */
    private void become(TcpSocket connection) throws IOException {
        TcpSocket old = tcp;
        use(connection);
        if (old != null) {
            old.close();
        }
        if (timeout > 0) {
            connection.setOption(SocketOptions.SO_TIMEOUT, timeout);
        }
        takeAddresses(connection);
        candidacy = WAITING;
    }

    private void register(Negotiator.Listening from, Refusal refusal) {
        Negotiator.Accepted entry = from.accepted(endpoint, refusal, port, localport);
        synchronized (stateLock) {
            if (path == null && !closed) {
                accepted = entry;
                return;
            }
        }
        entry.forget();
    }

    private void takeAddresses(TcpSocket from) {
        address = from.getInetAddress();
        port = from.getPort();
        localport = from.getLocalPort();
    }

    // Negotiation.

    /** What the negotiation holds of this socket: weakly, so a socket nobody refers to is collected with it. */
    private final Endpoint endpoint = new Endpoint() {
        @Override
        public TcpDescriptor tcp() {
            return tcpEnd;
        }

        @Override
        public boolean attach(FastPath fast) {
            Negotiator.Accepted entry;
            synchronized (stateLock) {
                if (closed || path != null) {
                    return false;
                }
                path = fast;
                candidacy = DECIDED;
                entry = accepted;
                accepted = null;
            }
            Stats.attached(fast.transport(), JFSSocketImpl.this);
            if (entry != null) {
                entry.forget();
            }
            return true;
        }

        @Override
        public void fallback(Reason reason, String detail) {
            decide(reason, detail);
        }
    };

    private void decide(Reason reason, String detail) {
        synchronized (stateLock) {
            if (candidacy == DECIDED) {
                return;
            }
            candidacy = DECIDED;
        }
        Stats.fallback(reason, this, detail);
    }

    private void offer(boolean early) {
        conversation.endAsking();
        synchronized (stateLock) {
            if (candidacy != WAITING || closed) {
                return;
            }
            candidacy = OFFERED;
        }
        installation.negotiator().offer(endpoint, early);
    }

    /** Called by the reader for each read over TCP. */
    void receivedOverTcp(int bytes) {
        if (conversation.received(bytes)) {
            offer(!conversation.heard());
        }
    }

    /** Called by the writer after each write over TCP. */
    void sentOverTcp(int bytes) {
        if (conversation.sent(bytes)) {
            offer(!conversation.heard());
        }
    }

    Conversation conversation() {
        return conversation;
    }

    /** Null where a descriptor can't be polled. */
    TcpPolling newTcpPolling() {
        return installation.unavailable() != null ? null
                : new TcpPolling(tcpEnd, installation.settings().pollMicros());
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
        FastPath fast = path;
        if (fast != null) {
            fast.wake();
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        if (closed || !out.shut()) {
            tcp().shutdownOutput();
        }
    }

    /** TCP's part of shutdownOutput, when the path's part is done. */
    void shutdownTcpOutput() {
        try {
            tcp().shutdownOutput();
        } catch (IOException e) {
            // Closed meanwhile: then TCP's output has ended too.
        }
    }

    @Override
    protected boolean supportsUrgentData() {
        return tcp().supportsUrgentData();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        FastPath fast = out.beforeUrgent();
        if (fast == null || closed) {
            tcp().sendUrgentData(data);
        } else if (fast.peerTakesUrgent()) {
            out.write(data);
        } // else the peer would discard it (R8)
    }

    @Override
    protected void close() throws IOException {
        FastPath fast;
        Cleaner.Cleanable ownName;
        Negotiator.Accepted entry;
        synchronized (stateLock) {
            if (closed || tcp == null) {
                closed = true;
                return;
            }
            closed = true;
            fast = path;
            ownName = name;
            entry = accepted;
            listening = null;
            accepted = null;
        }
        if (ownName != null) {
            ownName.clean();
        }
        if (entry != null) {
            entry.forget();
        }
        decide(entry != null ? Reason.NO_OFFER : Reason.NOT_ASKED, null);
        if (fast == null) {
            tcpEnd.close();
            return;
        }
        endPath(fast);
        try {
            tcpEnd.close();
        } finally {
            leavePath(fast);
        }
    }

    /** Before TCP's end: a peer that sees TCP end first takes us for dead (R14). */
    private void endPath(FastPath fast) {
        fast.finish(linger() == 0); // then TCP's end is a reset too
        fast.closeReceiver();
    }

    private void leavePath(FastPath fast) {
        fast.wake();
        in.retire();
        out.retire();
    }

    private int linger() {
        try {
            return tcp.getOption(StandardSocketOptions.SO_LINGER);
        } catch (IOException e) {
            return -1;
        }
    }

    // java.net: options and addresses.

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return tcp().supportedOptions();
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
        tcp().setOption(name, value);
    }

    @Override
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        return tcp().getOption(name);
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        tcp().setOption(option, value);
        if (option == SocketOptions.SO_TIMEOUT) {
            timeout = (Integer) value;
        } else if (option == SocketOptions.SO_OOBINLINE) {
            oobInline = (Boolean) value;
            FastPath fast = path;
            if (fast != null) {
                fast.takeUrgent(oobInline);
            }
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        return tcp().getOption(option);
    }

    /** Null: the descriptor is the TCP socket's and may not be used beside it. */
    @Override
    protected FileDescriptor getFileDescriptor() {
        return null;
    }
}
