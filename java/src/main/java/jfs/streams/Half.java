package jfs.streams;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;

/** What both directions of a socket or channel have in common. */
abstract class Half {

    private final Closeable whole;
    private final ReentrantLock lock = new ReentrantLock();

    /** @param whole the socket or channel */
    Half(Closeable whole) {
        this.whole = whole;
    }

    /** Waits until no other thread uses this direction. A thread that has the lock may take it again. */
    void lock() throws IOException {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /**
     * Memory in native order, from which a sink sends bytes, or into which a source puts them. It is on the heap, also for a channel: the
     * channel of the JDK copies it into direct memory that the JDK keeps for each thread, and direct memory of a stream's own would be
     * freed only when the collector finds the stream.
     */
    static ByteBuffer newStaging(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }

    /** Closes the socket or channel. Any thread, without the lock. */
    final void close() throws IOException {
        whole.close();
    }

    /** Any thread, without the lock. */
    abstract boolean isClosed();

    /** @throws IOException if it is closed: as a read or a write throws then, which is not the same for a socket and a channel */
    void checkOpen() throws IOException {
        if (isClosed()) {
            throw new SocketException("Socket closed");
        }
    }
}
