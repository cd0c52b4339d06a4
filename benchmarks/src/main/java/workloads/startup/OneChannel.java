package workloads.startup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** One connection of channels, whose ends are in one selector; a byte there and a byte back. */
public final class OneChannel {
    private OneChannel() {}

    public static void main(String[] args) throws IOException {
        try (Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open()
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            client.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            accepted.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            ByteBuffer data = ByteBuffer.allocate(1);
            data.put(0, (byte) 17);
            client.write(data);
            read(selector, accepted, data);
            accepted.write(data.flip());
            read(selector, client, data);
            System.out.println(data.get(0));
        }
    }

    private static void read(Selector selector, SocketChannel channel, ByteBuffer data) throws IOException {
        do {
            selector.select();
            selector.selectedKeys().clear();
        } while (channel.read(data.clear()) == 0);
    }
}
