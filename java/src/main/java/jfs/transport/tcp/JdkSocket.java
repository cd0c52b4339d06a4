package jfs.transport.tcp;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
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
 * <p>The methods of {@code SocketImpl} are protected and its factory method is package-private; the lookup of
 * {@link JdkAccess} reaches them without command-line flags, on 17 and 25 alike.
 */
public final class JdkSocket extends TcpEnd {

    /** The handles, found once. Each field is named after the method of {@link SocketImpl}, or of the JDK's own, that it calls. */
    private static final class Reach {
        private static final MethodHandles.Lookup LOOKUP = JdkAccess.lookup();
        private static final String PLATFORM = "sun.nio.ch.NioSocketImpl";

        static final MethodHandle CREATE_PLATFORM_SOCKET_IMPL = createPlatformSocketImpl();
        static final MethodHandle NEW_SOCKS_SOCKET_IMPL = newSocksSocketImpl();
        static final MethodHandle CREATE = method(void.class, "create", boolean.class);
        static final MethodHandle CONNECT = method(void.class, "connect", SocketAddress.class, int.class);
        static final MethodHandle BIND = method(void.class, "bind", InetAddress.class, int.class);
        static final MethodHandle LISTEN = method(void.class, "listen", int.class);
        static final MethodHandle ACCEPT = method(void.class, "accept", SocketImpl.class);
        static final MethodHandle READ = platformMethod(int.class, "read", byte[].class, int.class, int.class);
        static final MethodHandle WRITE = platformMethod(void.class, "write", byte[].class, int.class, int.class);
        static final MethodHandle READ_LOCK = platformLock("readLock");
        static final MethodHandle WRITE_LOCK = platformLock("writeLock");
        static final MethodHandle AVAILABLE = method(int.class, "available");
        static final MethodHandle CLOSE = method(void.class, "close");
        static final MethodHandle SHUTDOWN_INPUT = method(void.class, "shutdownInput");
        static final MethodHandle SHUTDOWN_OUTPUT = method(void.class, "shutdownOutput");
        static final MethodHandle SUPPORTS_URGENT_DATA = method(boolean.class, "supportsUrgentData");
        static final MethodHandle SEND_URGENT_DATA = method(void.class, "sendUrgentData", int.class);
        static final MethodHandle GET_INET_ADDRESS = method(InetAddress.class, "getInetAddress");
        static final MethodHandle GET_PORT = method(int.class, "getPort");
        static final MethodHandle GET_LOCAL_PORT = method(int.class, "getLocalPort");
        static final MethodHandle GET_FILE_DESCRIPTOR = method(FileDescriptor.class, "getFileDescriptor");
        static final MethodHandle FD_NUMBER = fdNumber();

        static MethodHandle method(Class<?> result, String name, Class<?>... parameters) {
            try {
                return LOOKUP.findVirtual(SocketImpl.class, name, MethodType.methodType(result, parameters));
            } catch (ReflectiveOperationException e) {
                throw unexpected(e);
            }
        }

        /** Of the implementation itself: what its streams call, without an object for each of them. */
        private static MethodHandle platformMethod(Class<?> result, String name, Class<?>... parameters) {
            try {
                MethodType type = MethodType.methodType(result, parameters);
                return LOOKUP.findVirtual(Class.forName(PLATFORM), name, type)
                        .asType(type.insertParameterTypes(0, SocketImpl.class));
            } catch (ReflectiveOperationException e) {
                throw unexpected(e);
            }
        }

        private static MethodHandle platformLock(String name) {
            try {
                return LOOKUP.findGetter(Class.forName(PLATFORM), name, ReentrantLock.class)
                        .asType(MethodType.methodType(ReentrantLock.class, SocketImpl.class));
            } catch (ReflectiveOperationException e) {
                throw unexpected(e);
            }
        }

        private static MethodHandle createPlatformSocketImpl() {
            try {
                return LOOKUP.findStatic(SocketImpl.class, "createPlatformSocketImpl",
                        MethodType.methodType(SocketImpl.class, boolean.class));
            } catch (ReflectiveOperationException e) {
                throw unexpected(e);
            }
        }

        private static MethodHandle newSocksSocketImpl() {
            try {
                return LOOKUP.findConstructor(Class.forName("java.net.SocksSocketImpl"),
                        MethodType.methodType(void.class, SocketImpl.class))
                        .asType(MethodType.methodType(SocketImpl.class, SocketImpl.class));
            } catch (ReflectiveOperationException e) {
                throw unexpected(e);
            }
        }

        private static MethodHandle fdNumber() {
            try {
                return LOOKUP.findGetter(FileDescriptor.class, "fd", int.class);
            } catch (ReflectiveOperationException e) {
                throw unexpected(e);
            }
        }

        private static IllegalStateException unexpected(ReflectiveOperationException e) {
            return new IllegalStateException("this JDK's SocketImpl is not as expected: " + e, e);
        }
    }

    /**
     * Those that many a program never needs: for each new type of handle the JVM makes a class. They are Java's documented interface, so
     * no JDK lacks them.
     */
    private static final class Options {
        static final MethodHandle SET_OPTION = Reach.method(void.class, "setOption", SocketOption.class, Object.class);
        static final MethodHandle GET_OPTION = Reach.method(Object.class, "getOption", SocketOption.class);
        static final MethodHandle SUPPORTED_OPTIONS = Reach.method(Set.class, "supportedOptions");
    }

    /** The one that has the descriptor. */
    private final SocketImpl platform;
    /** The same, or the SOCKS wrapper that delegates to it: from a connect on for which a proxy may be named. */
    private volatile SocketImpl impl;
    private final boolean throughProxy;
    /** Known once it has been asked for, or negative. */
    private int descriptor = -1;

    private JdkSocket(SocketImpl platform, boolean throughProxy) {
        this.platform = platform;
        this.impl = platform;
        this.throughProxy = throughProxy;
    }

    /**
     * Whether the JDK's implementation can be reached; finds all of it, so that a JDK that has changed is noticed at
     * installation and not in the middle of a program.
     *
     * @return null, or why not, in one line
     */
    public static String unavailable() {
        try {
            String reason = JdkAccess.unavailable();
            if (reason == null) {
                MethodHandles.lookup().ensureInitialized(Reach.class);
            }
            return reason;
        } catch (IllegalAccessException | LinkageError e) {
            return String.valueOf(e.getCause() != null ? e.getCause().getMessage() : e.getMessage());
        }
    }

    /** What {@code java.net}'s sockets would have underneath if there were no factory. Makes no descriptor yet. */
    public static JdkSocket of(Use use) {
        return new JdkSocket(platform(use == Use.SERVER), use == Use.CLIENT);
    }

    private static SocketImpl withSocks(SocketImpl platform) {
        try {
            return (SocketImpl) Reach.NEW_SOCKS_SOCKET_IMPL.invokeExact(platform);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /** What a socket would have as its implementation if there were no factory. */
    public static SocketImpl plain(Use use) {
        SocketImpl platform = platform(use == Use.SERVER);
        return use == Use.CLIENT ? withSocks(platform) : platform;
    }

    private static SocketImpl platform(boolean server) {
        try {
            return (SocketImpl) Reach.CREATE_PLATFORM_SOCKET_IMPL.invokeExact(server);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    @Override
    public void create(boolean stream) throws IOException {
        try {
            Reach.CREATE.invokeExact(impl, stream);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    /**
     * Through the SOCKS wrapper only where a proxy may be named: to ask for one it makes a URI of the address, which takes more memory than
     * all the rest of a connection. A second try goes through the same wrapper, which remembers the first, as in the JDK.
     */
    @Override
    public void connect(SocketAddress address, int timeout) throws IOException {
        if (throughProxy && impl == platform && !SocksSettings.surelyDirect(address)) {
            impl = withSocks(platform);
        }
        try {
            Reach.CONNECT.invokeExact(impl, address, timeout);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public void bind(InetAddress address, int port) throws IOException {
        try {
            Reach.BIND.invokeExact(impl, address, port);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public void listen(int backlog) throws IOException {
        try {
            Reach.LISTEN.invokeExact(impl, backlog);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public JdkSocket accept() throws IOException {
        SocketImpl accepted = platform(false);
        try {
            Reach.ACCEPT.invokeExact(impl, accepted);
        } catch (Throwable e) {
            throw rethrow(e);
        }
        return new JdkSocket(accepted, false);
    }

    @Override
    public ReentrantLock readLock() {
        return lock(Reach.READ_LOCK);
    }

    @Override
    public ReentrantLock writeLock() {
        return lock(Reach.WRITE_LOCK);
    }

    private ReentrantLock lock(MethodHandle of) {
        try {
            return (ReentrantLock) of.invokeExact(platform);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        try {
            return (int) Reach.READ.invokeExact(platform, into, offset, length);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        try {
            Reach.WRITE.invokeExact(platform, from, offset, length);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public int available() throws IOException {
        try {
            return (int) Reach.AVAILABLE.invokeExact(impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Reach.CLOSE.invokeExact(impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public void shutdownInput() throws IOException {
        try {
            Reach.SHUTDOWN_INPUT.invokeExact(impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        try {
            Reach.SHUTDOWN_OUTPUT.invokeExact(impl);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    public boolean supportsUrgentData() {
        try {
            return (boolean) Reach.SUPPORTS_URGENT_DATA.invokeExact(impl);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        try {
            Reach.SEND_URGENT_DATA.invokeExact(impl, data);
        } catch (Throwable e) {
            throw rethrow(e);
        }
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
        try {
            Options.SET_OPTION.invokeExact(impl, (SocketOption<?>) option, (Object) value);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T getOption(SocketOption<T> option) throws IOException {
        try {
            return (T) Options.GET_OPTION.invokeExact(impl, (SocketOption<?>) option);
        } catch (Throwable e) {
            throw rethrow(e);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public Set<SocketOption<?>> supportedOptions() {
        try {
            return (Set<SocketOption<?>>) (Set<?>) (Set) Options.SUPPORTED_OPTIONS.invokeExact(impl);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    @Override
    public InetAddress getInetAddress() {
        return address(impl);
    }

    @Override
    public int getPort() {
        return port(impl);
    }

    @Override
    public boolean proxied() {
        return port(impl) != port(platform) || !Objects.equals(address(impl), address(platform));
    }

    private static InetAddress address(SocketImpl of) {
        try {
            return (InetAddress) Reach.GET_INET_ADDRESS.invokeExact(of);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    private static int port(SocketImpl of) {
        try {
            return (int) Reach.GET_PORT.invokeExact(of);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    @Override
    public int getLocalPort() {
        try {
            return (int) Reach.GET_LOCAL_PORT.invokeExact(impl);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    @Override
    public int descriptor() {
        try {
            if (descriptor < 0) {
                FileDescriptor fd = (FileDescriptor) Reach.GET_FILE_DESCRIPTOR.invokeExact(impl);
                descriptor = fd == null ? -1 : (int) Reach.FD_NUMBER.invokeExact(fd);
            }
            return descriptor;
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    private static IOException rethrow(Throwable e) {
        if (e instanceof IOException io) {
            return io;
        }
        throw unchecked(e);
    }

    private static RuntimeException unchecked(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        if (e instanceof RuntimeException runtime) {
            return runtime;
        }
        return new IllegalStateException(e);
    }
}
