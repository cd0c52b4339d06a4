package jfs.conformance.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Side;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With TCP_NODELAY off JFS sockets wait for late acknowledgements no more often than the JDK's sockets. */
class AcknowledgementTest {

    /** On Linux an acknowledgement that does not ride on data is sent 40 ms late. */
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(35);
    /**
     * Other work of the machine may delay a step too, on either kind of sockets. More conversations in one attempt would
     * not tell more.
     */
    private static final int ATTEMPTS = 8;

    /** Fewer than ten. A new connection's congestion window lets ten small writes be under way without an acknowledgement. */
    private static final int ANSWERS = 6;
    private static final int CONVERSATIONS = 400;
    private static final int REQUESTS = 6;
    private static final int THINKING_NANOS = 100_000;
    private static final byte[] RECORD = Bytes.of(9, 0, 20);

    /** Counts the steps that took as long as a late acknowledgement, on the sockets that are in use. */
    private interface Stalls {
        int count() throws Exception;
    }

    private static void noMoreThanTheJdks(Stalls stalls) throws Exception {
        StringBuilder seen = new StringBuilder();
        for (int i = 0; i < ATTEMPTS; i++) {
            int jdks = Side.NONE.call(stalls::count);
            int ours = stalls.count();
            if (ours <= jdks) {
                return;
            }
            seen.append(ours).append(", the JDK's ").append(jdks).append("; ");
        }
        throw new AssertionError("stalls: " + seen);
    }

    private static int stalled(long begin) {
        return System.nanoTime() - begin > STALL_NANOS ? 1 : 0;
    }

    /**
     * The answers go over TCP, and the requests go over the fast path. Over TCP the acknowledgement of an answer would ride
     * on the next request. Here it comes late, and no later write may wait for it.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void answersWhoseRequestsGoAnotherWayDoNotStall(boolean byTheServer) throws Exception {
        noMoreThanTheJdks(() -> {
            int stalls = 0;
            for (int i = 0; i < 5; i++) { // if each step is slow one try may have no stall
                try (Pair pair = Pair.fresh()) {
                    stalls += answer(pair, byTheServer);
                }
            }
            return stalls;
        });
    }

    private static int answer(Pair pair, boolean byTheServer) throws Exception {
        Socket asks = byTheServer ? pair.client : pair.server;
        Socket answers = byTheServer ? pair.server : pair.client;
        pair.attachUnready(asks).switchOne(asks, answers);
        InputStream in = asks.getInputStream(); // this end does not read, so the answers stay on TCP
        int stalls = 0;
        for (int i = 1; i <= ANSWERS; i++) {
            int there = i;
            long begin = System.nanoTime();
            answers.getOutputStream().write(there);
            Await.until("the answer is there", () -> in.available() == there);
            stalls += stalled(begin);
            asks.getOutputStream().write(there);
            assertEquals(there, answers.getInputStream().read());
        }
        return stalls;
    }

    /**
     * Conversations like those of SMTP: a greeting, six requests, a close. Depending on timing a direction of such a
     * connection leaves TCP at any request, or not at all.
     */
    @Test
    void shortConversationsDoNotStall() throws Exception {
        noMoreThanTheJdks(() -> {
            try (ServerSocket listener = Pair.listener()) {
                Background<Void> server = Background.run(() -> {
                    Random random = new Random(1);
                    for (int i = 0; i < CONVERSATIONS; i++) {
                        try (Socket socket = listener.accept()) {
                            serve(socket, random);
                        }
                    }
                });
                Random random = new Random(2);
                int stalls = 0;
                for (int i = 0; i < CONVERSATIONS; i++) {
                    try (Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
                        stalls += ask(socket, random);
                    }
                }
                server.result();
                return stalls;
            }
        });
    }

    private static void serve(Socket socket, Random random) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        do {
            think(random);
            out.write(RECORD);
        } while (in.readNBytes(RECORD.length).length > 0);
    }

    private static int ask(Socket socket, Random random) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        int stalls = 0;
        for (int i = 0; i <= REQUESTS; i++) {
            long begin = System.nanoTime();
            if (i > 0) { // the client does not ask for the greeting
                think(random);
                out.write(RECORD);
            }
            assertTrue(in.readNBytes(RECORD.length).length > 0);
            stalls += stalled(begin);
        }
        return stalls;
    }

    /**
     * Computes for a moment, as programs do between a read and a write. Without that the conversation would be over before
     * its offer.
     */
    private static void think(Random random) {
        long until = System.nanoTime() + random.nextInt(THINKING_NANOS);
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }
}
