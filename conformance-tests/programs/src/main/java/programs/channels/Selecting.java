package programs.channels;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import programs.Bytes;
import programs.Console;

/** A server with a selector, and its clients. All channels are still open when the program ends. */
public final class Selecting {

    private static final int CLIENTS = 3;
    private static final int LENGTH = 10_000;

    private Selecting() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        Selector selector = Selector.open();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        Thread server = new Thread(() -> serve(selector), "server");
        server.setDaemon(true);
        server.start();
        List<SocketChannel> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(SocketChannel.open(listener.getLocalAddress()));
        }
        for (SocketChannel client : clients) {
            Console.say(ask(client, clients.indexOf(client)));
        }
        System.exit(0);
    }

    private static String ask(SocketChannel client, int seed) throws IOException {
        ByteBuffer back = ByteBuffer.allocate(LENGTH);
        client.write(ByteBuffer.wrap(Bytes.of(seed, LENGTH)));
        while (back.hasRemaining() && client.read(back) >= 0) {
            // more is coming
        }
        return Bytes.digest(back.array());
    }

    private static void serve(Selector selector) {
        ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
        try {
            for (;;) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        SocketChannel connection = ((ServerSocketChannel) key.channel()).accept();
                        connection.configureBlocking(false).register(selector, SelectionKey.OP_READ);
                    } else {
                        SocketChannel connection = (SocketChannel) key.channel();
                        connection.read(buffer.clear());
                        buffer.flip();
                        while (buffer.hasRemaining()) {
                            connection.write(buffer);
                        }
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            Console.say(e);
        }
    }
}
