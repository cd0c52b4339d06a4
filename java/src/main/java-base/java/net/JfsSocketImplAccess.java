package java.net;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;

/**
 * Calls what {@link SocketImpl} lets only its own package call; each method is named after the one that it calls. {@code JdkSocket} of JFS
 * defines this class in {@code java.net}, once in a JVM. A program that starts executes such calls in the interpreter, where a method handle
 * takes several times as long, and for each new type of handle the JVM makes two classes (half a millisecond each).
 */
public final class JfsSocketImplAccess {

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final Class<?> PLATFORM = createPlatformSocketImpl(false).getClass();
    private static final long READ_LOCK = UNSAFE.objectFieldOffset(PLATFORM, "readLock");
    private static final long WRITE_LOCK = UNSAFE.objectFieldOffset(PLATFORM, "writeLock");

    private JfsSocketImplAccess() {
    }

    /**
     * To be raised with each change of this class. A program may load several builds of JFS, and all of them find what the first one has
     * defined.
     */
    public static int version() {
        return 1;
    }

    public static SocketImpl createPlatformSocketImpl(boolean server) {
        return SocketImpl.createPlatformSocketImpl(server);
    }

    public static SocketImpl newSocksSocketImpl(SocketImpl platform) {
        return new SocksSocketImpl(platform);
    }

    public static void create(SocketImpl impl, boolean stream) throws IOException {
        impl.create(stream);
    }

    public static void connect(SocketImpl impl, SocketAddress address, int timeout) throws IOException {
        impl.connect(address, timeout);
    }

    public static void bind(SocketImpl impl, InetAddress address, int port) throws IOException {
        impl.bind(address, port);
    }

    public static void listen(SocketImpl impl, int backlog) throws IOException {
        impl.listen(backlog);
    }

    public static void accept(SocketImpl impl, SocketImpl connection) throws IOException {
        impl.accept(connection);
    }

    public static InputStream getInputStream(SocketImpl impl) throws IOException {
        return impl.getInputStream();
    }

    public static OutputStream getOutputStream(SocketImpl impl) throws IOException {
        return impl.getOutputStream();
    }

    public static int available(SocketImpl impl) throws IOException {
        return impl.available();
    }

    public static void close(SocketImpl impl) throws IOException {
        impl.close();
    }

    public static void shutdownInput(SocketImpl impl) throws IOException {
        impl.shutdownInput();
    }

    public static void shutdownOutput(SocketImpl impl) throws IOException {
        impl.shutdownOutput();
    }

    public static boolean supportsUrgentData(SocketImpl impl) {
        return impl.supportsUrgentData();
    }

    public static void sendUrgentData(SocketImpl impl, int data) throws IOException {
        impl.sendUrgentData(data);
    }

    public static <T> void setOption(SocketImpl impl, SocketOption<T> option, T value) throws IOException {
        impl.setOption(option, value);
    }

    public static <T> T getOption(SocketImpl impl, SocketOption<T> option) throws IOException {
        return impl.getOption(option);
    }

    public static Set<SocketOption<?>> supportedOptions(SocketImpl impl) {
        return impl.supportedOptions();
    }

    public static InetAddress getInetAddress(SocketImpl impl) {
        return impl.getInetAddress();
    }

    public static int getPort(SocketImpl impl) {
        return impl.getPort();
    }

    public static int getLocalPort(SocketImpl impl) {
        return impl.getLocalPort();
    }

    public static FileDescriptor getFileDescriptor(SocketImpl impl) {
        return impl.getFileDescriptor();
    }

    /**
     * The lock under which the JDK's socket reads.
     *
     * @param platform of {@link #createPlatformSocketImpl}
     */
    public static ReentrantLock readLock(SocketImpl platform) {
        return lock(platform, READ_LOCK);
    }

    /** The lock under which it writes. */
    public static ReentrantLock writeLock(SocketImpl platform) {
        return lock(platform, WRITE_LOCK);
    }

    private static ReentrantLock lock(SocketImpl platform, long offset) {
        return (ReentrantLock) UNSAFE.getReference(PLATFORM.cast(platform), offset);
    }

    /** The kernel's number of a descriptor; -1 if it is closed. */
    public static int number(FileDescriptor descriptor) {
        return SharedSecrets.getJavaIOFileDescriptorAccess().get(descriptor);
    }
}
