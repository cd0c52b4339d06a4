package jfs.streams;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;

/** The sending half of a channel in blocking mode. */
final class ChannelSink extends Sink {

    private final SocketChannel channel;
    private final ReentrantLock lock = new ReentrantLock();

    ChannelSink(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    void lock() {
        lock.lock();
    }

    @Override
    void unlock() {
        lock.unlock();
    }

    /** Direct, since the channel would copy from the heap into direct memory first. */
    @Override
    ByteBuffer newStaging(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    void write(ByteBuffer staging, int bytes) throws IOException {
        try {
            writeAll(staging.limit(bytes));
        } finally {
            staging.clear(); // whoever fills it counts from its beginning to its capacity
        }
    }

    @Override
    void write(byte[] from, int offset, int length) throws IOException {
        writeAll(ByteBuffer.wrap(from, offset, length));
    }

    private void writeAll(ByteBuffer from) throws IOException {
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        while (from.hasRemaining()) {
            channel.write(from);
        }
    }

    @Override
    void flush() {
        // Each write is sent at once.
    }

    @Override
    void close() throws IOException {
        channel.close();
    }

    @Override
    boolean isClosed() {
        return !channel.isOpen();
    }
}
