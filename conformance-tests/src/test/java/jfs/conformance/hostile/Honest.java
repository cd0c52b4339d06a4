package jfs.conformance.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import jfs.conformance.harness.Bytes;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.testing.Background;

/** Connections of the same JVM that have nothing to do with the hostile ones. They get their fast path and keep it. */
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

    /**
     * Makes a connection that has become fast. Fails if none becomes fast. A connection stays on TCP if its peer was busy.
     * Then another one is made.
     */
    static Honest connect(ServerSocket listener) throws Exception {
        Honest[] last = {opened(listener)};
        long before = Stats.ATTACHED.sum();
        long[] busy = {timesBusy()};
        Await.until(() -> "a fast connection, but " + Stats.fallbacks(), () -> {
            last[0].pingPong();
            if (timesBusy() > busy[0]) {
                last[0].close();
                busy[0] = timesBusy();
                last[0] = opened(listener);
            }
            return Stats.ATTACHED.sum() >= before + 2;
        });
        return last[0];
    }

    private static Honest opened(ServerSocket listener) throws IOException {
        Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
        return new Honest(client, listener.accept());
    }

    private static long timesBusy() {
        return Stats.fallbacks().getOrDefault(Reason.PEER_BUSY, 0L);
    }

    private void pingPong() throws IOException {
        client.getOutputStream().write(1);
        server.getInputStream().read();
        server.getOutputStream().write(2);
        client.getInputStream().read();
    }

    /** Transfers and checks bytes until the connection is closed. */
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
