package jfs.transport.tcp;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.JfsSocketImplAccess;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The JDK's own socket implementation, called from outside: every call goes to it unchanged, so all that it does
 * (options, time-outs, interrupts, virtual threads, exceptions and their messages) is the JDK's by construction.
 * Blocking, locking and errors are those of {@code sun.nio.ch.NioSocketImpl}.
 *
 * <p>The methods of {@code SocketImpl} are protected and its factory method is package-private; {@link JfsSocketImplAccess}, which
 * {@link JdkAccess} defines in their package, reaches them without command-line flags, on 17 and 25 alike.
 */
public final class JdkSocket extends TcpSocket {

    /** The {@link JfsSocketImplAccess#version} that this class is written for. */
    static final int ACCESS_VERSION = 0xbc23a864;

    /** Set by the first call of {@link #unavailable}, before there is a socket. */
    private static volatile JfsSocketImplAccess jdk;
    private static String notAsExpected;

    /** The implementation that has the descriptor. */
    private final SocketImpl platform;
    /** The same object; or, from a connect on for which a proxy may be named, the SOCKS wrapper that delegates to it. */
    private volatile SocketImpl impl;
    private final boolean throughProxy;
    /** The streams of {@link #platform}, made for the first byte. */
    private InputStream in;
    private OutputStream out;

    private JdkSocket(SocketImpl platform, boolean throughProxy) {
        this.platform = platform;
        this.impl = platform;
        this.throughProxy = throughProxy;
    }

    /**
     * Whether the JDK's implementation can be reached. The call tries all parts of it that are not Java's documented interface. So a JDK
     * that has changed is noticed at installation and not in the middle of a program.
     *
     * @return null if it can be reached, else the reason in one line
     */
    public static synchronized String unavailable() {
        String reason = JdkAccess.unavailable();
        if (reason != null || jdk != null) {
            return reason;
        }
        if (notAsExpected == null) {
            try {
                jdk = reach();
            } catch (IOException | ReflectiveOperationException | LinkageError | ClassCastException e) {
                notAsExpected = "this JDK's SocketImpl is not as expected: " + (e.getCause() != null ? e.getCause() : e);
            }
        }
        return notAsExpected;
    }

    private static JfsSocketImplAccess reach() throws IOException, ReflectiveOperationException {
        JfsSocketImplAccess it = (JfsSocketImplAccess) JdkAccess.socketImplAccess();
        if (it.version() != ACCESS_VERSION) {
            throw new IncompatibleClassChangeError("this program has also loaded a build of JFS with version " + it.version()
                    + " of JfsSocketImplAccess; this build needs version " + ACCESS_VERSION);
        }
        SocketImpl platform = it.createPlatformSocketImpl(false);
        it.readLock(platform);
        it.writeLock(platform);
        it.number(new FileDescriptor());
        return it;
    }

    /** Makes what {@code java.net}'s sockets would have below them if there were no factory. It has no descriptor yet. */
    public static JdkSocket of(Use use) {
        return new JdkSocket(jdk.createPlatformSocketImpl(use == Use.SERVER), use == Use.CLIENT);
    }

    /** Makes what a socket would have as its implementation if there were no factory. */
    public static SocketImpl plain(Use use) {
        SocketImpl platform = jdk.createPlatformSocketImpl(use == Use.SERVER);
        return use == Use.CLIENT ? jdk.newSocksSocketImpl(platform) : platform;
    }

    @Override
    public void create(boolean stream) throws IOException {
        jdk.create(impl, stream);
    }

    /**
     * Connects, through the SOCKS wrapper only where a proxy may be named. To ask for a proxy the wrapper makes a URI of the address, which
     * takes more memory than all the rest of a connection. A second connect goes through the same wrapper, which remembers the first one,
     * as in the JDK.
     */
    @Override
    public void connect(SocketAddress address, int timeout) throws IOException {
        if (throughProxy && impl == platform && !SocksSettings.surelyDirect(address)) {
            impl = jdk.newSocksSocketImpl(platform);
        }
        jdk.connect(impl, address, timeout);
    }

    @Override
    public void bind(InetAddress address, int port) throws IOException {
        jdk.bind(impl, address, port);
    }

    @Override
    public void listen(int backlog) throws IOException {
        jdk.listen(impl, backlog);
    }

    @Override
    public JdkSocket accept() throws IOException {
        SocketImpl accepted = jdk.createPlatformSocketImpl(false);
        jdk.accept(impl, accepted);
        return new JdkSocket(accepted, false);
    }

    @Override
    public ReentrantLock readLock() {
        return jdk.readLock(platform);
    }

    @Override
    public ReentrantLock writeLock() {
        return jdk.writeLock(platform);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (in == null) {
            in = jdk.getInputStream(platform);
        }
        return in.read(into, offset, length);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        if (out == null) {
            out = jdk.getOutputStream(platform);
        }
        out.write(from, offset, length);
    }

    @Override
    public int available() throws IOException {
        return jdk.available(impl);
    }

    @Override
    public void close() throws IOException {
        jdk.close(impl);
    }

    @Override
    public void shutdownInput() throws IOException {
        jdk.shutdownInput(impl);
    }

    @Override
    public void shutdownOutput() throws IOException {
        jdk.shutdownOutput(impl);
    }

    @Override
    public boolean supportsUrgentData() {
        return jdk.supportsUrgentData(impl);
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        jdk.sendUrgentData(impl, data);
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        impl.setOption(option, value);
    }

    @Override
    public Object getOption(int option) throws SocketException {
        return impl.getOption(option);
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        jdk.setOption(impl, option, value);
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return jdk.getOption(impl, option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return jdk.supportedOptions(impl);
    }

    @Override
    public InetAddress getInetAddress() {
        return jdk.getInetAddress(impl);
    }

    @Override
    public int getPort() {
        return jdk.getPort(impl);
    }

    @Override
    public boolean proxied() {
        return impl != platform && (jdk.getPort(impl) != jdk.getPort(platform)
                || !Objects.equals(jdk.getInetAddress(impl), jdk.getInetAddress(platform)));
    }

    @Override
    public int getLocalPort() {
        return jdk.getLocalPort(impl);
    }

    @Override
    public int descriptor() {
        FileDescriptor it = jdk.getFileDescriptor(impl);
        return it == null ? -1 : jdk.number(it);
    }
}
