package jfs.streams;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;

/** The sending half of a channel in blocking mode. */
final class ChannelSink extends Sink {

    private final SocketChannel channel;

    ChannelSink(SocketChannel channel) {
        super(channel);
        this.channel = channel;
    }

    @Override
    void write(ByteBuffer staging, int bytes) throws IOException {
        try {
            writeAll(staging.limit(bytes));
        } finally {
            staging.clear(); // whoever fills it counts from its beginning to its capacity
        }
    }

    /** In pieces: see {@link ChannelSource#MOST}. */
    @Override
    void write(byte[] from, int offset, int length) throws IOException {
        ByteBuffer piece = ByteBuffer.wrap(from, offset, 0);
        int end = offset + length;
        do {
            writeAll(piece.limit(piece.position() + Math.min(end - piece.position(), ChannelSource.MOST)));
        } while (piece.position() < end);
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
    boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    void checkOpen() throws IOException {
        if (isClosed()) {
            throw new ClosedChannelException();
        }
    }
}
