package jfs.streams;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;

/** The sending half of a socket that is not JFS's. */
final class StreamSink extends Sink {

    private final Socket socket;
    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();

    StreamSink(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
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
    void write(ByteBuffer staging, int bytes) throws IOException {
        out.write(staging.array(), 0, bytes);
    }

    @Override
    void write(byte[] from, int offset, int length) throws IOException {
        out.write(from, offset, length);
    }

    @Override
    void flush() throws IOException {
        out.flush();
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
