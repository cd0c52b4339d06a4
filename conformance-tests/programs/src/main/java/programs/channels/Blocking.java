package programs.channels;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import programs.Bytes;
import programs.Console;

/** Both ends of a connection on blocking channels. The program closes all of them before it ends. */
public final class Blocking {

    private static final int ROUNDS = 100;
    private static final int LENGTH = 10_000;

    private Blocking() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Thread server = new Thread(() -> echo(listener), "server");
            server.start();
            try (SocketChannel client = SocketChannel.open(listener.getLocalAddress())) {
                ByteBuffer back = ByteBuffer.allocate(LENGTH);
                for (int i = 0; i < ROUNDS; i++) {
                    client.write(ByteBuffer.wrap(Bytes.of(i, LENGTH)));
                    back.clear();
                    while (back.hasRemaining() && client.read(back) >= 0) {
                        // more is coming
                    }
                }
                Console.say(Bytes.digest(back.array()));
                client.shutdownOutput();
                back.clear();
                Console.say(client.read(back));
            }
            server.join();
        }
        Console.say("closed");
    }

    private static void echo(ServerSocketChannel listener) {
        try (SocketChannel connection = listener.accept()) {
            ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
            while (connection.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    connection.write(buffer);
                }
                buffer.clear();
            }
        } catch (IOException e) {
            Console.say(e);
        }
    }
}
