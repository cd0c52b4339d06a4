package jfs.streams;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;
import jfs.spi.Claim;

/** The receiving half of a socket that is not JFS's. */
final class StreamSource extends Source {

    private final Socket socket;
    private final InputStream in;
    private final ReentrantLock lock = new ReentrantLock();

    StreamSource(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    @Override
    void lock() {
        lock.lock();
    }

    @Override
    void unlock() {
        lock.unlock();
    }

    @Override
    ByteBuffer newStaging(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    int peek(Claim into, ByteBuffer staging, int offset, int length) throws IOException {
        into.clear();
        return in.read(staging.array(), offset, length);
    }

    @Override
    int read(byte[] into, int offset, int length) throws IOException {
        return in.read(into, offset, length);
    }

    @Override
    int available() throws IOException {
        return in.available();
    }

    @Override
    void close() throws IOException {
        socket.close();
    }

    @Override
    boolean isClosed() {
        return socket.isClosed();
    }
}
