package jfs.conformance.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import jfs.conformance.harness.Transcript;
import jfs.stat.Stats;

/** Two channels that are connected with each other, and the listening one. All are in blocking mode. */
record Connected(ServerSocketChannel server, SocketChannel client, SocketChannel accepted, long[] countersBefore)
        implements AutoCloseable {

    private static final int PART = 64 << 10;

    static Connected by(SelectorProvider provider) throws IOException {
        return by(provider, provider);
    }

    private static Connected by(SelectorProvider serverProvider, SelectorProvider clientProvider) throws IOException {
        long[] before = counters();
        ServerSocketChannel server = listening(serverProvider);
        SocketChannel client = clientProvider.openSocketChannel();
        client.connect(server.getLocalAddress());
        return new Connected(server, client, server.accept(), before);
    }

    /** The same. The transcript names the ports. */
    static Connected by(SelectorProvider provider, Transcript seen) throws IOException {
        return by(provider, provider, seen);
    }

    /** The same with two providers. */
    static Connected by(SelectorProvider serverProvider, SelectorProvider clientProvider, Transcript seen) throws IOException {
        Connected it = by(serverProvider, clientProvider);
        seen.port("server", port(it.server.getLocalAddress())).port("client", port(it.client.getLocalAddress()));
        return it;
    }

    /** How many directions have switched in this JVM: sending, receiving. */
    static long[] counters() {
        return new long[] {Stats.SWITCHED_OUT.sum(), Stats.SWITCHED_IN.sum()};
    }

    static ServerSocketChannel listening(SelectorProvider provider) throws IOException {
        return provider.openServerSocketChannel().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    static int port(Object address) {
        return ((InetSocketAddress) address).getPort();
    }

    /** Reads exactly so many bytes. */
    static byte[] read(SocketChannel from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.position() < length) {
            bytes.limit(Math.min(length, bytes.position() + PART)); // the JDK makes a direct buffer of this size
            if (from.read(bytes) < 0) {
                throw new IOException("the end after " + bytes.position() + " bytes");
            }
        }
        return bytes.array();
    }

    /** Writes all bytes. In a virtual thread a channel in blocking mode may take a part of them. */
    static void write(SocketChannel to, byte[] all) throws IOException {
        for (ByteBuffer bytes = ByteBuffer.wrap(all); bytes.hasRemaining();) {
            to.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        accepted.close();
        server.close();
    }
}
