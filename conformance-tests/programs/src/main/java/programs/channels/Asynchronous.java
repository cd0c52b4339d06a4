package programs.channels;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.Future;
import programs.Console;

/** A byte over asynchronous channels, which are closed when the program ends. */
public final class Asynchronous {

    private Asynchronous() {
    }

    public static void main(String[] args) throws Exception {
        Console.open();
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open();
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Future<AsynchronousSocketChannel> accepting = server.accept();
            client.connect(server.getLocalAddress()).get();
            try (AsynchronousSocketChannel accepted = accepting.get()) {
                client.write(ByteBuffer.wrap(new byte[] {42})).get();
                ByteBuffer got = ByteBuffer.allocate(2);
                Console.say(accepted.read(got).get() + " " + got.get(0));
            }
        }
    }
}
