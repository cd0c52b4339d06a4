package jfs.conformance.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import jfs.conformance.Await;
import jfs.conformance.Background;
import jfs.conformance.Bytes;
import jfs.stat.Stats;

/** Connections of the same JVM that have nothing to do with the hostile ones: they get their fast path, and keep it. */
final class Honest implements AutoCloseable {

    private static final int PIECE = 20_000;

    private final Socket client;
    private final Socket server;
    private volatile boolean ending;
    private Background<Void> traffic;

    private Honest(Socket client, Socket server) {
        this.client = client;
        this.server = server;
    }

    static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1"));
    }

    /** A connection that has become fast; fails if it doesn't. */
    static Honest connect(ServerSocket listener) throws Exception {
        Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
        Honest it = new Honest(client, listener.accept());
        long before = Stats.ATTACHED.sum();
        Await.until(() -> "a fast connection, but " + Stats.fallbacks(), () -> {
            it.pingPong();
            return Stats.ATTACHED.sum() >= before + 2;
        });
        return it;
    }

    private void pingPong() throws IOException {
        client.getOutputStream().write(1);
        server.getInputStream().read();
        server.getOutputStream().write(2);
        client.getInputStream().read();
    }

    /** Checked bytes, until it is closed. */
    Honest talk() {
        traffic = Background.run(() -> {
            for (long at = 0; !ending; at += PIECE) {
                server.getOutputStream().write(Bytes.of(7, at, PIECE));
                Bytes.expect(client.getInputStream(), 7, at, PIECE);
            }
        });
        return this;
    }

    @Override
    public void close() throws Exception {
        ending = true;
        if (traffic != null) {
            traffic.result();
        }
        client.close();
        server.close();
    }
}
