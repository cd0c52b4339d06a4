package workloads.arrays;

import java.io.EOFException;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;

/** Elements through buffers of {@code java.nio} and a channel, in the machine's byte order. */
final class ChannelTransfer implements Transfer {
    /** The sizes of the source that {@link Conversion} names. */
    private static final int CHUNK = 8 << 10;
    private static final int HYBRID_FROM = 512;

    private final SocketChannel channel;
    private final Conversion conversion;
    private final ByteBuffer chunk = direct(CHUNK);
    private Buffer chunkView;
    private ByteBuffer whole = direct(CHUNK);
    private byte[] wrapped = {};

    ChannelTransfer(SocketChannel channel, Conversion conversion) {
        this.channel = channel;
        this.conversion = conversion;
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public void send(Elements message) throws IOException {
        int bytes = message.bytes();
        switch (conversionOf(bytes)) {
            case SIMPLE -> {
                ByteBuffer buffer = whole(bytes);
                message.putEach(buffer);
                write(buffer);
            }
            case WRAP -> {
                ByteBuffer buffer = wrapped(bytes);
                message.putAll(message.view(buffer), 0, message.count());
                write(buffer);
            }
            case CHUNK, HYBRID -> {
                int most = CHUNK / message.elementBytes();
                for (int done = 0; done < message.count(); done += most) {
                    int count = Math.min(most, message.count() - done);
                    message.putAll(view(message), done, count);
                    write(chunk.position(0).limit(count * message.elementBytes()));
                }
            }
        }
    }

    @Override
    public void receive(Elements message) throws IOException {
        int bytes = message.bytes();
        switch (conversionOf(bytes)) {
            case SIMPLE -> {
                ByteBuffer buffer = whole(bytes);
                read(buffer);
                message.getEach(buffer);
            }
            case WRAP -> {
                ByteBuffer buffer = wrapped(bytes);
                read(buffer);
                message.getAll(message.view(buffer.position(0)), 0, message.count());
            }
            case CHUNK, HYBRID -> {
                int most = CHUNK / message.elementBytes();
                for (int done = 0; done < message.count(); done += most) {
                    int count = Math.min(most, message.count() - done);
                    read(chunk.position(0).limit(count * message.elementBytes()));
                    message.getAll(view(message), done, count);
                }
            }
        }
    }

    /** What is done for a message of that size. */
    private Conversion conversionOf(int bytes) {
        return switch (conversion) {
            case WRAP -> bytes > CHUNK ? Conversion.WRAP : Conversion.CHUNK;
            case HYBRID -> bytes < HYBRID_FROM ? Conversion.SIMPLE : Conversion.CHUNK;
            default -> conversion;
        };
    }

    private Buffer view(Elements message) {
        if (chunkView == null) {
            chunkView = message.view(chunk.clear());
        }
        return chunkView;
    }

    private ByteBuffer whole(int bytes) {
        if (whole.capacity() < bytes) {
            whole = direct(bytes);
        }
        return whole.position(0).limit(bytes);
    }

    private ByteBuffer wrapped(int bytes) {
        if (wrapped.length < bytes) {
            wrapped = new byte[bytes];
        }
        return ByteBuffer.wrap(wrapped, 0, bytes).order(ByteOrder.nativeOrder());
    }

    private void write(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private void read(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException();
            }
        }
    }
}
