package jfs.scilib;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

public final class QueueReceiver implements Closeable {
    private final ServerSocketChannel listener;
    private final Path file;
    private SocketChannel channel;

    QueueReceiver(ServerSocketChannel listener, Path file) {
        this.listener = listener;
        this.file = file;
    }

    public int receive(byte[] into, int offset, int length, int millis) throws IOException {
        if (channel == null) {
            channel = listener.accept();
            Files.delete(file);
        }
        for (ByteBuffer rest = ByteBuffer.wrap(into, offset, length); rest.hasRemaining(); ) {
            if (channel.read(rest) < 0) {
                return -1;
            }
        }
        return length;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        if (channel != null) {
            channel.close();
        }
    }
}
