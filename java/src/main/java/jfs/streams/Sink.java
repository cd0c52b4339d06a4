package jfs.streams;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.spi.Claim;

/** Where the bytes of a {@link TypedOutput} go. The methods here are called under the lock. */
abstract class Sink extends Half {

    Sink(Closeable whole) {
        super(whole);
    }

    /** As {@link jfs.connection.Writer#claim}. */
    boolean claim(Claim into, int least, int most) throws IOException {
        return false;
    }

    /** As {@link jfs.connection.Writer#commit}. */
    void commit(int bytes, boolean more) throws IOException {
        throw new IllegalStateException("nothing was claimed");
    }

    /** Writes the first bytes of that memory, all of them or it throws. */
    abstract void write(ByteBuffer staging, int bytes) throws IOException;

    abstract void write(byte[] from, int offset, int length) throws IOException;

    abstract void flush() throws IOException;
}
