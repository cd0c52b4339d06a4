package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import jfs.conformance.Subject.Counters;

/** The two ends of one connection. */
final class Pair implements AutoCloseable {

    final Socket client;
    final Socket server;
    private final Counters before;
    private final AutoCloseable also;

    private Pair(Socket client, Socket server, Counters before, AutoCloseable also) {
        this.client = client;
        this.server = server;
        this.before = before;
        this.also = also;
    }

    /** Connected, and not a byte sent. */
    static Pair fresh() throws IOException {
        ServerSocket listener = listener();
        return via(listener, listener);
    }

    /** The same on a listener of the caller's. */
    static Pair via(ServerSocket listener) throws IOException {
        return via(listener, () -> { });
    }

    private static Pair via(ServerSocket listener, AutoCloseable also) throws IOException {
        Counters before = countersNow();
        Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
        return new Pair(client, listener.accept(), before, also);
    }

    /** A listener on the loopback interface and any free port. */
    static ServerSocket listener() throws IOException {
        Subject.current();
        return new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    }

    /** Two ends that somebody else has connected. */
    static Pair of(Socket client, Socket server) {
        return new Pair(client, server, countersNow(), () -> { });
    }

    private static Counters countersNow() {
        Subject.current();
        return Counters.now();
    }

    /** Both ends could leave TCP, but no direction has yet: it will in the next step. Nothing is under way. */
    Pair attach() throws Exception {
        if (Subject.current().switches()) {
            pingPong();
            client.getOutputStream().write('?'); // a request after an answer: a conversation
            Await.until("both ends have a fast path", () -> counted().attached() == 2);
            assertEquals('?', server.getInputStream().read());
            assertEquals(new Counters(2, 0, 0), counted(), "attached and not switched");
        }
        return this;
    }

    /** Talks until both ends send and receive on the fast path; where there is none, a few words. */
    Pair converse() throws Exception {
        for (int i = 0; i < 3; i++) {
            pingPong();
        }
        if (Subject.current().switches()) {
            Await.until(() -> "all four ends of the two directions have switched, but " + counted(), () -> {
                pingPong();
                Counters now = counted(); // a path is used before it is counted
                return now.attached() >= 2 && now.switchedOut() >= 2 && now.switchedIn() >= 2;
            });
        }
        assertSwitched();
        return this;
    }

    /** What JFS has counted since this pair was made. */
    Counters counted() {
        return Counters.now().since(before);
    }

    void assertSwitched() {
        assertEquals(Subject.current().switched(), counted());
    }

    /** A byte there and a byte back. */
    void pingPong() throws IOException {
        client.getOutputStream().write(1);
        assertEquals(1, server.getInputStream().read());
        server.getOutputStream().write(2);
        assertEquals(2, client.getInputStream().read());
    }

    @Override
    public void close() throws Exception {
        client.close();
        server.close();
        also.close();
    }
}
