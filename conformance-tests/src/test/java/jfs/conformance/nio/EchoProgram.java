package jfs.conformance.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import jfs.JFSSocketImplFactory;

/** Makes connections in one thread, accepts and echoes by a selector. Writes a mark before and after what is to be counted. */
public final class EchoProgram {

    static final String MARK = "mark";
    static final int CONNECTIONS = 20;
    private static final int ROUNDS = 20;

    private final ByteBuffer bytes = ByteBuffer.allocateDirect(1_000);
    private final Selector selector = Selector.open();
    private final ServerSocketChannel server = ServerSocketChannel.open();

    private EchoProgram() throws IOException {
    }

    /** Argument: whose provider is the default one. */
    public static void main(String[] args) throws IOException {
        String expected = "sun.nio.ch.EPollSelectorProvider";
        if (Provider.valueOf(args[0]) == Provider.JFS) {
            JFSSocketImplFactory.install();
            expected = "sun.nio.ch.JfsProvider";
        }
        if (!SelectorProvider.provider().getClass().getName().equals(expected)) {
            throw new IllegalStateException(SelectorProvider.provider().getClass().getName());
        }
        new EchoProgram().run(); // the JDK initialises what it needs
        System.out.println(MARK);
        new EchoProgram().run();
        System.out.println(MARK);
    }

    private void run() throws IOException {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        for (int i = 0; i < CONNECTIONS; i++) {
            SocketChannel client = SocketChannel.open(server.getLocalAddress());
            select();
            for (int round = 0; round < ROUNDS; round++) {
                client.write(bytes.clear());
                select();
                bytes.clear();
                while (bytes.hasRemaining()) {
                    client.read(bytes);
                }
            }
            client.close();
            select();
        }
        selector.close();
        server.close();
    }

    private void select() throws IOException {
        selector.select();
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isAcceptable()) {
                server.accept().configureBlocking(false).register(selector, SelectionKey.OP_READ);
            } else {
                SocketChannel channel = (SocketChannel) key.channel();
                int count = channel.read(bytes.clear());
                if (count < 0) {
                    channel.close();
                } else {
                    channel.write(bytes.flip());
                }
            }
        }
        selector.selectedKeys().clear();
    }
}
