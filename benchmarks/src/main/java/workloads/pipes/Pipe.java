package workloads.pipes;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** One direction of a connection: a ring of bytes between two threads. */
final class Pipe {
    private static final int CAPACITY = 256 << 10; // a power of two

    private static final VarHandle POSITION = MethodHandles.arrayElementVarHandle(long[].class);
    /** Indices in {@link #positions} of the bytes ever written and ever read. Each count has a cache line of its own. */
    private static final int WRITTEN = 16;
    private static final int READ = 32;

    private final byte[] ring = new byte[CAPACITY];
    private final long[] positions = new long[48];
    private final Waiter reader = new Waiter(this::readable);
    private final Waiter writer = new Waiter(this::writable);
    private volatile Runnable readable = () -> {};
    private volatile Runnable writable = () -> {};
    private volatile boolean ended;
    private volatile boolean unread;
    private volatile boolean closed;

    /** Reads up to {@code length} bytes; -1 at the end. Waits for the first byte, at most {@code timeout} milliseconds if that is not 0. */
    int read(byte[] into, int offset, int length, int timeout) throws IOException {
        return read(ByteBuffer.wrap(into, offset, length), timeout);
    }

    /** The same into a buffer. Does not wait if the pipe is {@link #readable}. */
    int read(ByteBuffer into, int timeout) throws IOException {
        synchronized (reader) {
            if (!into.hasRemaining()) {
                return 0;
            }
            if (!reader.await(timeout)) {
                throw new SocketTimeoutException("Read timed out");
            }
            if (closed) {
                throw new SocketException("Socket closed");
            }
            long read = read();
            int n = (int) Math.min(into.remaining(), written() - read);
            if (n == 0 || unread) {
                return -1;
            }
            int at = (int) read & CAPACITY - 1;
            int first = Math.min(n, CAPACITY - at);
            into.put(ring, at, first).put(ring, 0, n - first);
            POSITION.setRelease(positions, READ, read + n);
            wakeWriter();
            return n;
        }
    }

    /** Writes all bytes. Waits for room. */
    void write(byte[] from, int offset, int length) throws IOException {
        write(ByteBuffer.wrap(from, offset, length));
    }

    /** The same from a buffer. */
    int write(ByteBuffer from) throws IOException {
        int all = from.remaining();
        synchronized (writer) {
            while (from.hasRemaining()) {
                writer.await(0);
                writeSome(from);
            }
        }
        return all;
    }

    /** Writes as many bytes as there is room for. */
    int writeSome(ByteBuffer from) throws IOException {
        synchronized (writer) {
            if (atEnd()) {
                throw new SocketException(ended ? "Socket closed" : "Broken pipe");
            }
            long written = written();
            int n = (int) Math.min(from.remaining(), read() + CAPACITY - written);
            int at = (int) written & CAPACITY - 1;
            int first = Math.min(n, CAPACITY - at);
            from.get(ring, at, first).get(ring, 0, n - first);
            POSITION.setRelease(positions, WRITTEN, written + n);
            wakeReader();
            return n;
        }
    }

    /** Whether a read returns at once, with bytes, the end or an exception. */
    boolean readable() {
        return written() != read() || atEnd();
    }

    /** Whether a write has room, or fails at once. */
    boolean writable() {
        return read() + CAPACITY != written() || atEnd();
    }

    /** Sets what happens when the pipe may have become readable, beside the waking of a thread that reads. */
    void whenReadable(Runnable then) {
        readable = then;
    }

    /** The same for room. */
    void whenWritable(Runnable then) {
        writable = then;
    }

    int available() {
        return unread ? 0 : (int) (written() - read());
    }

    /** Ends the stream: no more bytes will be written. */
    void end() {
        ended = true;
        wakeBoth();
    }

    /** No more bytes will be read. A reading thread gets the end, or an exception if its own socket is being closed. */
    void stopReading(boolean closing) {
        closed |= closing;
        unread = true;
        wakeBoth();
    }

    private boolean atEnd() {
        return ended || unread;
    }

    private long written() {
        return (long) POSITION.getAcquire(positions, WRITTEN);
    }

    private long read() {
        return (long) POSITION.getAcquire(positions, READ);
    }

    private void wakeReader() {
        reader.wake();
        readable.run();
    }

    private void wakeWriter() {
        writer.wake();
        writable.run();
    }

    private void wakeBoth() {
        wakeReader();
        wakeWriter();
    }
}
