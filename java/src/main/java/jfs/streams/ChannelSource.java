package jfs.streams;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import jfs.spi.Claim;

/** The receiving half of a channel in blocking mode. */
final class ChannelSource extends Source {

    private final SocketChannel channel;
    private final ReentrantLock lock = new ReentrantLock();

    ChannelSource(SocketChannel channel) {
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

    /** Direct, since the channel would read into direct memory first. */
    @Override
    ByteBuffer newStaging(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    int peek(Claim into, ByteBuffer staging, int offset, int length) throws IOException {
        into.clear();
        try {
            return read(staging.limit(offset + length).position(offset));
        } finally {
            staging.clear(); // whoever reads it counts from its beginning to its capacity
        }
    }

    @Override
    int read(byte[] into, int offset, int length) throws IOException {
        return read(ByteBuffer.wrap(into, offset, length));
    }

    private int read(ByteBuffer into) throws IOException {
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        return channel.read(into);
    }

    /** A channel does not tell. */
    @Override
    int available() {
        return 0;
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
