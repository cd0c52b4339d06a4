package jfs.scilib;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

public final class QueueSender implements Closeable {
    private final SocketChannel channel;

    QueueSender(SocketChannel channel) {
        this.channel = channel;
    }

    public int send(byte[] from, int offset, int length, int millis) throws IOException {
        for (ByteBuffer rest = ByteBuffer.wrap(from, offset, length); rest.hasRemaining(); ) {
            channel.write(rest);
        }
        return length;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
