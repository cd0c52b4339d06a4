package jfs.streams;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import jfs.connection.Reader;
import jfs.spi.Claim;

/** The receiving half of a connection of JFS. */
final class ConnectionSource extends Source {

    private final Reader reader;

    ConnectionSource(Socket socket, Reader reader) {
        super(socket);
        this.reader = reader;
    }

    @Override
    void lock() throws IOException {
        reader.lock();
    }

    @Override
    void unlock() {
        reader.unlock();
    }

    @Override
    int peek(Claim into, ByteBuffer staging, int offset, int length) throws IOException {
        return reader.peek(into, staging.array(), offset, length);
    }

    @Override
    int take(ByteBuffer staging, int offset, int length) throws IOException {
        return reader.peek(null, staging.array(), offset, length);
    }

    @Override
    void release(int bytes) throws IOException {
        reader.release(bytes);
    }

    @Override
    int read(byte[] into, int offset, int length) throws IOException {
        return reader.read(into, offset, length);
    }

    @Override
    int available() throws IOException {
        return reader.available();
    }

    @Override
    boolean isClosed() {
        return reader.isClosed();
    }
}
