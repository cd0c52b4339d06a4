package jfs.streams;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.spi.Claim;

/** Where the bytes of a {@link TypedInput} come from. The methods here are called under the lock. */
abstract class Source extends Half {

    Source(Closeable whole) {
        super(whole);
    }

    /**
     * Waits for bytes. Either {@code into} shows them where they lie, and only {@link #release} takes them; they may be more than {@code
     * length} then. Or {@code into} is clear and the bytes are in {@code staging}.
     *
     * @param offset where they go in {@code staging}
     * @return the number of bytes, above 0; -1 at the end
     */
    int peek(Claim into, ByteBuffer staging, int offset, int length) throws IOException {
        into.clear();
        return take(staging, offset, length);
    }

    /**
     * Waits for bytes, and takes them.
     *
     * @param offset where they go in {@code staging}
     * @param length the most bytes, above 0
     * @return the number of bytes, above 0; -1 at the end
     */
    abstract int take(ByteBuffer staging, int offset, int length) throws IOException;

    /** Takes the first bytes of those that were shown. */
    void release(int bytes) throws IOException {
        throw new IllegalStateException("nothing was shown");
    }

    /** As {@link java.io.InputStream#read(byte[], int, int)}, with a length above 0. */
    abstract int read(byte[] into, int offset, int length) throws IOException;

    abstract int available() throws IOException;
}
