package workloads.many;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import workloads.Footprint;
import workloads.Program;

/**
 * Answers each message of 64 bytes with the same bytes. One thread does that, with one selector for all connections. A message that begins
 * with {@link #TELL} is answered by what this JVM holds.
 *
 * <p>Arguments: address, port.
 */
public final class SelectorServer {
    /** The length of a message. */
    static final int BYTES = 64;
    /** A message that begins with this long asks for the figures of {@link #HELD}, each a double. */
    static final long TELL = -1;
    /** What a JVM holds, in the order in which the server tells it: as in {@link Footprint#now}. */
    static final List<String> HELD = List.of("heap", "resident", "descriptors", "mappings", "shared");

    private static final int BACKLOG = 1024;

    private final Selector selector = Selector.open();
    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final ByteBuffer message = ByteBuffer.allocateDirect(BYTES);

    private SelectorServer(InetSocketAddress address) throws IOException {
        listener.bind(address, BACKLOG);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    public static void main(String[] args) throws IOException {
        Program.endWithParent();
        SelectorServer server = new SelectorServer(new InetSocketAddress(args[0], Integer.parseInt(args[1])));
        Program.ready(server.listener.socket().getLocalPort());
        for (;;) {
            server.select();
        }
    }

    private void select() throws IOException {
        selector.select();
        for (SelectionKey key : selector.selectedKeys()) {
            SelectableChannel channel = key.channel();
            if (channel == listener) {
                accept();
            } else if (!answer((SocketChannel) channel)) {
                channel.close();
            }
        }
        selector.selectedKeys().clear();
    }

    private void accept() throws IOException {
        for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ);
        }
    }

    /** Returns false at the end of the stream. */
    private boolean answer(SocketChannel channel) throws IOException {
        message.clear();
        int n = channel.read(message);
        if (n <= 0) {
            return n == 0;
        }
        while (message.hasRemaining()) { // the client has sent the whole message, so the rest is on its way
            if (channel.read(message) < 0) {
                throw new EOFException();
            }
        }
        if (message.getLong(0) == TELL) {
            tell();
        }
        message.flip();
        send(channel, message);
        return true;
    }

    private void tell() throws IOException {
        message.clear();
        for (double figure : held()) {
            message.putDouble(figure);
        }
        message.clear().position(BYTES);
    }

    /** The figures of {@link #HELD}, of this JVM. */
    static double[] held() throws IOException {
        var all = Footprint.now();
        return HELD.stream().mapToDouble(all::get).toArray();
    }

    /** Writes a message that has room in the connection's buffers. */
    static void send(SocketChannel channel, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }
}
