package jfs.streams;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.spi.Claim;

/** Where the bytes of a {@link TypedInput} come from. All methods but {@link #lock} and {@link #isClosed} are called under the lock. */
abstract class Source {

    /** Waits until no other thread reads. A thread that has the lock may take it again. */
    abstract void lock() throws IOException;

    abstract void unlock();

    /** Memory in native order that {@link #peek} puts bytes into. */
    abstract ByteBuffer newStaging(int bytes);

    /**
     * Waits for bytes. Either {@code into} shows them where they lie, and only {@link #release} takes them; they may be more than {@code
     * length} then. Or {@code into} is clear and the bytes are in {@code staging}.
     *
     * @param offset where they go in {@code staging}
     * @return the number of bytes, above 0; -1 at the end
     */
    abstract int peek(Claim into, ByteBuffer staging, int offset, int length) throws IOException;

    /** Takes the first bytes of those that were shown. */
    void release(int bytes) throws IOException {
        throw new IllegalStateException("nothing was shown");
    }

    /** As {@link java.io.InputStream#read(byte[], int, int)}, with a length above 0. */
    abstract int read(byte[] into, int offset, int length) throws IOException;

    abstract int available() throws IOException;

    /** Closes the socket. Any thread. */
    abstract void close() throws IOException;

    abstract boolean isClosed();
}
