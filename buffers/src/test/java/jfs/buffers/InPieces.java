package jfs.buffers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Random;

/** A channel that keeps what is written, until it is read. It takes and gives a few bytes at a time, now and then none. */
final class InPieces implements WritableByteChannel, ReadableByteChannel {

    private final Random random;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private ByteArrayInputStream toRead;

    InPieces(Random random) {
        this.random = random;
    }

    int size() {
        return written.size();
    }

    @Override
    public int write(ByteBuffer from) {
        int n = Math.min(from.remaining(), random.nextInt(20));
        for (int i = 0; i < n; i++) {
            written.write(from.get());
        }
        return n;
    }

    @Override
    public int read(ByteBuffer into) {
        if (toRead == null) {
            toRead = new ByteArrayInputStream(written.toByteArray());
        }
        if (toRead.available() == 0) {
            return -1;
        }
        int n = Math.min(Math.min(into.remaining(), toRead.available()), random.nextInt(20));
        for (int i = 0; i < n; i++) {
            into.put((byte) toRead.read());
        }
        return n;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        // nothing to release
    }
}
