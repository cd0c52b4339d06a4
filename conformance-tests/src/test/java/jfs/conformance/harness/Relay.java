package jfs.conformance.harness;

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
import jfs.testing.Background;

/** A proxy. It connects to its target by a channel, which itself never uses a proxy. */
public final class Relay implements AutoCloseable {

    private final ServerSocket listener;
    private final Handshake handshake;
    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

    /** The messages before the bytes that are passed on. */
    public interface Handshake {
        /** @return the address to connect to, or null for none */
        InetSocketAddress agree(DataInputStream in, OutputStream out) throws IOException;
    }

    /** A proxy on the JDK's own sockets. */
    public Relay(Handshake handshake) throws Exception {
        this(Side.NONE.call(() -> new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))), handshake);
    }

    /** A proxy that uses this listener. */
    public Relay(ServerSocket listener, Handshake handshake) {
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

    public InetSocketAddress address() {
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
