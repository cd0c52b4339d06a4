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
 * Calls the methods of {@link SocketImpl} that only its own package may call. Each method has the name of the method that it calls. {@code
 * JdkAccess} of JFS defines this class in {@code java.net}, once in a JVM. Method handles would be slower: a program that starts executes
 * such calls in the interpreter, where a method handle takes several times as long. For each new type of handle the JVM also makes two
 * classes (half a millisecond each).
 */
public final class JfsSocketImplAccess {

    private static final int VERSION = 0xbc23a864;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final Class<?> PLATFORM = SocketImpl.createPlatformSocketImpl(false).getClass();
    private static final long READ_LOCK = offset("readLock");
    private static final long WRITE_LOCK = offset("writeLock");

    /**
     * The class is public, but only code that has the trusted lookup can make an instance. So no other code gets round the checks of {@link
     * Socket}.
     */
    private JfsSocketImplAccess() {
    }

    /** The offset of a lock's field, or -1: JDK 17's {@code -Djdk.net.usePlainSocketImpl} has another implementation with other locks. */
    private static long offset(String lock) {
        try {
            return UNSAFE.objectFieldOffset(PLATFORM, lock);
        } catch (InternalError e) {
            return -1;
        }
    }

    /**
     * The checksum of all methods ({@code JdkSocketTest}). A program may load several builds of JFS, and all of them find the class that
     * the first one has defined.
     */
    public int version() {
        return VERSION;
    }

    public SocketImpl createPlatformSocketImpl(boolean server) {
        return SocketImpl.createPlatformSocketImpl(server);
    }

    public SocketImpl newSocksSocketImpl(SocketImpl platform) {
        return new SocksSocketImpl(platform);
    }

    public void create(SocketImpl impl, boolean stream) throws IOException {
        impl.create(stream);
    }

    public void connect(SocketImpl impl, SocketAddress address, int timeout) throws IOException {
        impl.connect(address, timeout);
    }

    public void bind(SocketImpl impl, InetAddress address, int port) throws IOException {
        impl.bind(address, port);
    }

    public void listen(SocketImpl impl, int backlog) throws IOException {
        impl.listen(backlog);
    }

    public void accept(SocketImpl impl, SocketImpl connection) throws IOException {
        impl.accept(connection);
    }

    public InputStream getInputStream(SocketImpl impl) throws IOException {
        return impl.getInputStream();
    }

    public OutputStream getOutputStream(SocketImpl impl) throws IOException {
        return impl.getOutputStream();
    }

    public int available(SocketImpl impl) throws IOException {
        return impl.available();
    }

    public void close(SocketImpl impl) throws IOException {
        impl.close();
    }

    public void shutdownInput(SocketImpl impl) throws IOException {
        impl.shutdownInput();
    }

    public void shutdownOutput(SocketImpl impl) throws IOException {
        impl.shutdownOutput();
    }

    public boolean supportsUrgentData(SocketImpl impl) {
        return impl.supportsUrgentData();
    }

    public void sendUrgentData(SocketImpl impl, int data) throws IOException {
        impl.sendUrgentData(data);
    }

    public <T> void setOption(SocketImpl impl, SocketOption<T> option, T value) throws IOException {
        impl.setOption(option, value);
    }

    public <T> T getOption(SocketImpl impl, SocketOption<T> option) throws IOException {
        return impl.getOption(option);
    }

    public Set<SocketOption<?>> supportedOptions(SocketImpl impl) {
        return impl.supportedOptions();
    }

    public InetAddress getInetAddress(SocketImpl impl) {
        return impl.getInetAddress();
    }

    public int getPort(SocketImpl impl) {
        return impl.getPort();
    }

    public int getLocalPort(SocketImpl impl) {
        return impl.getLocalPort();
    }

    public FileDescriptor getFileDescriptor(SocketImpl impl) {
        return impl.getFileDescriptor();
    }

    /**
     * The lock under which the JDK's socket reads, or a new one if it has none.
     *
     * @param platform of {@link #createPlatformSocketImpl}
     */
    public ReentrantLock readLock(SocketImpl platform) {
        return lock(platform, READ_LOCK);
    }

    /** The lock under which the JDK's socket writes, or a new one if it has none. */
    public ReentrantLock writeLock(SocketImpl platform) {
        return lock(platform, WRITE_LOCK);
    }

    private static ReentrantLock lock(SocketImpl platform, long offset) {
        return offset < 0 ? new ReentrantLock() : (ReentrantLock) UNSAFE.getReference(PLATFORM.cast(platform), offset);
    }

    /** The kernel's number of a descriptor; -1 if it is closed. */
    public int number(FileDescriptor descriptor) {
        return SharedSecrets.getJavaIOFileDescriptorAccess().get(descriptor);
    }
}
