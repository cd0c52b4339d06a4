package jfs.scilib;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

public final class MessageQueues {
    public static final int ID_MAX = 1 << 20;

    private MessageQueues() {}

    public static int localNode() {
        return 4;
    }

    static Path file(int id) {
        return Path.of(System.getProperty("java.io.tmpdir"), "stand-in-for-queue-" + id);
    }

    public static QueueReceiver create(int node, int id, int maxCount, int maxSize) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        file(id).toFile().deleteOnExit();
        listener.bind(UnixDomainSocketAddress.of(file(id)));
        return new QueueReceiver(listener, file(id));
    }

    public static QueueSender connect(int node, int id, int maxCount, int maxSize, int millis) throws IOException {
        long deadline = System.nanoTime() + millis * 1_000_000L;
        for (;;) {
            try {
                return new QueueSender(SocketChannel.open(UnixDomainSocketAddress.of(file(id))));
            } catch (IOException e) { // not there yet
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.yield();
            }
        }
    }
}
