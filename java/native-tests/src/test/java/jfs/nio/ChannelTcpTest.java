package jfs.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import jfs.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** END-4: the close of a channel while a thread of JFS uses its descriptor. The peer sees the same as after any other close. */
@Timeout(90)
class ChannelTcpTest {

    private SocketChannel channel;
    private SocketChannel peer;
    private ChannelTcp tcp;

    @BeforeEach
    void open() throws Throwable {
        SelectorProvider provider = OwnProvider.get();
        OwnProvider.record(); // so that the provider makes channels of JFS
        channel = provider.openSocketChannel();
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel.connect(server.getLocalAddress());
            peer = server.accept();
        }
        peer.configureBlocking(false); // so that a read that finds nothing fails, and does not hang
        tcp = new ChannelTcp(channel, Runnable::run);
        assertTrue(tcp.acquire() >= 0);
    }

    @AfterEach
    void close() throws Exception {
        OwnProvider.usePlain();
        channel.close();
        peer.close();
    }

    /** Reads one byte. @return what the read returns, or the exception's message */
    private String read() {
        try {
            return String.valueOf(peer.read(ByteBuffer.allocate(1)));
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private int write() throws IOException {
        return peer.write(ByteBuffer.allocate(1));
    }

    @Test
    void thePeerSeesTheEndAtOnce() throws Exception {
        tcp.closeWhenUnused();
        Await.until("the end", () -> read().equals("-1"));
        assertEquals(1, write());
        Await.until("a write fails", () -> {
            try {
                return write() == 0;
            } catch (IOException e) {
                return "Broken pipe".equals(e.getMessage());
            }
        });
        tcp.release();
    }

    @Test
    void unreadBytesResetTheConnection() throws Exception {
        write();
        Await.until("the byte is there", () -> tcp.available() == 1);
        tcp.closeWhenUnused();
        Await.until("the reset", () -> read().equals("Connection reset"));
        tcp.release();
    }

    @Test
    void lingerZeroResetsTheConnection() throws Exception {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        tcp.closeWhenUnused();
        Await.until("the reset", () -> read().equals("Connection reset"));
        tcp.release();
    }
}
