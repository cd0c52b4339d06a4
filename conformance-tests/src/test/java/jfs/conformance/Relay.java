package jfs.conformance;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy. It goes on over a channel, which never goes through a proxy itself. */
final class Relay implements AutoCloseable {

    private final ServerSocket listener;
    private final Handshake handshake;
    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

    /** What is said before the bytes that are passed on. */
    interface Handshake {
        /** @return where to go on to, or null */
        InetSocketAddress agree(DataInputStream in, OutputStream out) throws IOException;
    }

    /** One with the JDK's own sockets. */
    Relay(Handshake handshake) throws Exception {
        this(Side.NONE.call(() -> new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))), handshake);
    }

    /** One that listens there. */
    Relay(ServerSocket listener, Handshake handshake) {
        this.listener = listener;
        this.handshake = handshake;
        Background.run(() -> {
            for (;;) {
                Socket client = listener.accept();
                open.add(client);
                Background.run(() -> serve(client));
            }
        });
    }

    private void serve(Socket client) throws IOException {
        OutputStream out = client.getOutputStream();
        InputStream in = client.getInputStream();
        InetSocketAddress target = handshake.agree(new DataInputStream(in), out);
        if (target == null) {
            return;
        }
        SocketChannel server = SocketChannel.open(target);
        open.add(server);
        Background.run(() -> {
            byte[] bytes = new byte[1 << 16];
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                server.write(ByteBuffer.wrap(bytes, 0, n));
            }
            server.shutdownOutput();
        });
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        while (server.read(bytes) >= 0) {
            out.write(bytes.array(), 0, bytes.position());
            bytes.clear();
        }
        client.shutdownOutput();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    @Override
    public void close() throws Exception {
        listener.close();
        for (AutoCloseable each : open) {
            each.close();
        }
    }
}
