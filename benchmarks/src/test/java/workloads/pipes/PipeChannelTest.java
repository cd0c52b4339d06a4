package workloads.pipes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that channels over pipes lose no bytes, and that their selectors wake: otherwise they would be no ceiling. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class PipeChannelTest {
    private final PipeProvider provider = new PipeProvider();
    private ServerSocketChannel server;
    private SocketChannel client;
    private SocketChannel accepted;

    @BeforeEach
    void connect() throws Exception {
        server = provider.openServerSocketChannel().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.configureBlocking(false);
        assertNull(server.accept());
        client = provider.openSocketChannel();
        assertTrue(client.connect(server.getLocalAddress()));
        accepted = server.accept();
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        accepted.close();
        server.close();
    }

    @Test
    void selectorsMoveAllBytesThroughFullPipes() throws Exception {
        byte[] sent = new byte[5 << 20];
        new Random(1).nextBytes(sent);
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try (Selector selector = provider.openSelector()) {
                client.configureBlocking(false).register(selector, SelectionKey.OP_WRITE);
                ByteBuffer bytes = ByteBuffer.wrap(sent);
                while (bytes.hasRemaining()) {
                    selector.select();
                    selector.selectedKeys().clear();
                    client.write(bytes);
                }
                client.shutdownOutput();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        ByteBuffer received = ByteBuffer.allocate(sent.length + 1);
        try (Selector selector = provider.openSelector()) {
            accepted.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            int n;
            do {
                assertEquals(1, selector.select());
                selector.selectedKeys().clear();
                n = accepted.read(received);
            } while (n >= 0);
        }
        assertArrayEquals(sent, Arrays.copyOf(received.array(), received.position()));
        writing.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aConnectionAndAWakeupEndASelection() throws Exception {
        try (Selector selector = provider.openSelector(); SocketChannel next = provider.openSocketChannel()) {
            SelectionKey key = server.register(selector, SelectionKey.OP_ACCEPT);
            assertEquals(0, selector.selectNow());
            CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> ((PipeSelector) selector).select());
            selector.wakeup();
            assertEquals(0, waiting.get(10, TimeUnit.SECONDS));
            waiting = CompletableFuture.supplyAsync(() -> ((PipeSelector) selector).select());
            next.connect(server.getLocalAddress());
            assertEquals(1, waiting.get(10, TimeUnit.SECONDS));
            assertTrue(key.isAcceptable());
            server.accept().close();
        }
    }

    @Test
    void aSocketTalksToAChannel() throws Exception {
        PipeSocketImpl socket = new PipeSocketImpl();
        socket.connect(server.getLocalAddress(), 0);
        try (SocketChannel channel = server.accept()) {
            socket.getOutputStream().write(7);
            ByteBuffer one = ByteBuffer.allocate(1);
            assertEquals(1, channel.read(one));
            assertEquals(7, one.get(0));
            assertEquals(1, channel.write(one.flip()));
            assertEquals(7, socket.getInputStream().read());
        }
        assertEquals(-1, socket.getInputStream().read());
        socket.close();
    }
}
