package jfs.streams;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import jfs.connection.Writer;
import jfs.spi.Claim;

/** The sending half of a connection of JFS. */
final class ConnectionSink extends Sink {

    private final Writer writer;

    ConnectionSink(Socket socket, Writer writer) {
        super(socket);
        this.writer = writer;
    }

    @Override
    void lock() {
        writer.lock();
    }

    @Override
    void unlock() {
        writer.unlock();
    }

    @Override
    boolean claim(Claim into, int least, int most) throws IOException {
        return writer.claim(into, least, most);
    }

    @Override
    void commit(int bytes, boolean more) throws IOException {
        writer.commit(bytes, more);
    }

    @Override
    void write(ByteBuffer staging, int bytes) throws IOException {
        writer.writeLocked(staging.array(), 0, bytes);
    }

    @Override
    void write(byte[] from, int offset, int length) throws IOException {
        writer.write(from, offset, length);
    }

    @Override
    void flush() {
        // Each write is sent at once.
    }

    @Override
    boolean isClosed() {
        return writer.isClosed();
    }
}
