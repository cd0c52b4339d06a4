package jfs.streams;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;

/** The receiving half of a channel in blocking mode. */
final class ChannelSource extends Source {

    /**
     * The most bytes of an array that one call gives to the channel. The channel of the JDK copies them through direct memory of that
     * length, which it keeps for the thread. The JVM may not have as much of that as the program has on the heap (MaxDirectMemorySize).
     */
    static final int MOST = 128 << 10;

    private final SocketChannel channel;

    ChannelSource(SocketChannel channel) {
        super(channel);
        this.channel = channel;
    }

    @Override
    int take(ByteBuffer staging, int offset, int length) throws IOException {
        try {
            return read(staging.limit(offset + length).position(offset));
        } finally {
            staging.clear(); // whoever reads it counts from its beginning to its capacity
        }
    }

    @Override
    int read(byte[] into, int offset, int length) throws IOException {
        return read(ByteBuffer.wrap(into, offset, Math.min(length, MOST)));
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
    boolean isClosed() {
        return !channel.isOpen();
    }
}
