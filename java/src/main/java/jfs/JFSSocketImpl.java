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
import jfs.connection.Connection;
import jfs.connection.ConnectionOption;
import jfs.connection.StatedPreferences;
import jfs.negotiation.Negotiator;
import jfs.negotiation.policy.Refusal;
import jfs.spi.NoResourcesException;
import jfs.stat.Reason;
import jfs.steps.Step;
import jfs.transport.tcp.TcpSocket;

/**
 * JFS's socket, as {@code java.net} knows it. It has a kernel TCP socket, in general the JDK's own, for its whole life. What is not about
 * bytes (addresses, connect, accept) goes straight to the TCP socket. A connected socket has a {@link Connection}, which decides which way
 * the bytes go.
 *
 * <p>Thread-safe as {@code java.net} needs it. {@link #close()} blocks for SO_LINGER only. {@code fd} stays null, because the descriptor
 * belongs to the TCP socket.
 */
public final class JFSSocketImpl extends SocketImpl {

    private static final Refusal NO_NAME = new Refusal(Reason.NO_NAME, null);

    private final Installation installation;
    private final TcpSocket.Use use;

    /** The TCP socket below this socket. Written under this. */
    private volatile TcpSocket tcp;
    /** Null before the socket is connected, and of a listening socket. Written under this. */
    private volatile Connection connection;
    private volatile boolean closed;

    /** Of a listening socket: by which offers find its connections. Guarded by this. */
    private Negotiator.Listening listening;
    /** Of a listening socket: why offers can't find its connections while {@code listening} is null. */
    private volatile Refusal unlisted = NO_NAME;

    JFSSocketImpl(Installation installation, TcpSocket.Use use) {
        this.installation = installation;
        this.use = use;
    }

    /** The TCP socket below this socket, made at first use. */
    TcpSocket tcp() {
        TcpSocket it = tcp;
        if (it == null) {
            synchronized (this) {
                if (tcp == null) {
                    tcp = installation.environment().newTcpSocket(use);
                }
                it = tcp;
            }
        }
        return it;
    }

    /** The exception with which a call fails. If the socket was closed before, that is reported instead, as by NioSocketImpl. */
    private IOException closedOr(IOException failure) {
        return closed ? new SocketException("Socket closed") : failure;
    }

    // Setting up.

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
            socket.connected(false);
            Step.CONNECTED.reached();
        } catch (SocketTimeoutException e) {
            throw closedOr(e);
        } finally {
            takeAddresses(socket);
        }
        Connection made;
        synchronized (this) { // as in close(): the later one of the two calls sees what the earlier one has done
            if (closed) { // since TCP has connected; the caller hears of it now and not at its first use
                throw new SocketException("Socket closed");
            }
            made = connection = new Connection(installation.environment(), socket, timeout(socket));
            made.takePreferencesOf(this);
        }
        made.begin();
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
            found = installation.environment().negotiator().listening(this, address, localport);
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
        if (end.connection != null) {
            throw new SocketException("JFS can't accept into a socket that was connected before");
        }
        TcpSocket accepted;
        try {
            accepted = tcp().accept();
        } catch (SocketTimeoutException e) {
            throw closedOr(e);
        }
        Connection made = null;
        try {
            Step.ACCEPTED.reached();
            made = end.become(accepted);
        } finally {
            if (made == null) { // no other code could close the connection
                accepted.close();
            }
        }
        if (made == null) {
            throw new SocketException("Socket is closed");
        }
        Negotiator.Listening from;
        synchronized (this) {
            from = listening;
        }
        made.beginAccepted(from, unlisted);
    }

    /**
     * Becomes the socket of an accepted connection. A subclass of ServerSocket may pass a socket that was created before. That socket keeps
     * only its SO_TIMEOUT, and not even that if it was closed by a connect that failed.
     *
     * @return null if this socket is closed
     */
    private Connection become(TcpSocket accepted) throws IOException {
        TcpSocket old;
        Connection made;
        synchronized (this) { // as in close(): the later one of the two calls sees what the earlier one has done
            if (closed) {
                return null;
            }
            old = tcp;
            int millis = old == null ? 0 : timeout(old);
            accepted.connected(true);
            made = new Connection(installation.environment(), accepted, millis);
            tcp = accepted;
            connection = made;
        }
        takeAddresses(accepted);
        if (old != null) {
            old.closeWhenUnused();
        }
        if (made.readTimeout() > 0) {
            accepted.setOption(SocketOptions.SO_TIMEOUT, made.readTimeout());
        }
        return made;
    }

    /** SO_TIMEOUT, milliseconds; 0 also of a socket that is closed, or that the system could not make. */
    private static int timeout(TcpSocket socket) {
        try {
            return (Integer) socket.getOption(SocketOptions.SO_TIMEOUT);
        } catch (SocketException e) {
            return 0;
        }
    }

    private void takeAddresses(TcpSocket from) {
        address = from.getInetAddress();
        port = from.getPort();
        localport = from.getLocalPort();
    }

    // Bytes.

    @Override
    protected InputStream getInputStream() throws IOException {
        return connected().reader();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        return connected().writer();
    }

    private Connection connected() throws SocketException {
        Connection it = connection;
        if (it == null) {
            throw new SocketException("Socket is not connected");
        }
        return it;
    }

    @Override
    protected int available() throws IOException {
        return connected().available();
    }

    @Override
    protected void shutdownInput() throws IOException {
        connected().shutdownInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        connected().shutdownOutput();
    }

    @Override
    protected boolean supportsUrgentData() {
        return tcp().supportsUrgentData();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        Connection it = connection;
        if (it != null) {
            it.writer().writeUrgent(data);
        } else {
            tcp().sendUrgentData(data);
        }
    }

    @Override
    protected void close() throws IOException {
        Connection connected;
        Negotiator.Listening name;
        synchronized (this) {
            closed = true;
            connected = connection;
            name = listening;
            listening = null;
        }
        try {
            if (connected != null) {
                connected.close();
            } else if (tcp != null) {
                try {
                    Step.CLOSING.reached();
                } finally {
                    tcp.closeWhenUnused();
                }
            }
        } finally { // after TCP's end: a client that does not find the name asks TCP whether it has ended
            if (name != null) {
                name.close();
            }
        }
    }

    // Options.

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return tcp().supportedOptions();
    }

    @Override
    protected synchronized <T> void setOption(SocketOption<T> name, T value) throws IOException {
        if (connection != null) {
            connection.setOption(name, value);
        } else if (name == ConnectionOption.PREFERENCES) {
            StatedPreferences.state(this, ConnectionOption.PREFERENCES.type().cast(value));
        } else {
            tcp().setOption(name, value);
        }
    }

    @Override
    protected synchronized <T> T getOption(SocketOption<T> name) throws IOException {
        if (connection == null && name == ConnectionOption.PREFERENCES) {
            return name.type().cast(StatedPreferences.of(this));
        }
        return connection != null ? connection.getOption(name) : tcp().getOption(name);
    }

    @Override
    public synchronized void setOption(int option, Object value) throws SocketException {
        if (connection != null) {
            connection.setOption(option, value);
        } else {
            tcp().setOption(option, value);
        }
    }

    @Override
    public synchronized Object getOption(int option) throws SocketException {
        return connection != null ? connection.getOption(option) : tcp().getOption(option);
    }

    /** Null, because the descriptor belongs to the TCP socket, and other code may not use it. */
    @Override
    protected FileDescriptor getFileDescriptor() {
        return null;
    }
}
