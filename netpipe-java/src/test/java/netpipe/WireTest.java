package netpipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The test plays NPtcp byte by byte, against either end of this program. */
@Timeout(20)
class WireTest {

    @TempDir
    private Path folder;

    /** A connection of the peer that the test plays. */
    private record Hand(Socket socket, DataInputStream in, DataOutputStream out) implements AutoCloseable {

        static Hand of(Socket socket) throws IOException {
            // Nagle's algorithm would hold back the bytes that are to be timed.
            socket.setTcpNoDelay(true);
            return new Hand(socket, new DataInputStream(socket.getInputStream()),
                    new DataOutputStream(socket.getOutputStream()));
        }

        void sync() throws IOException {
            out.writeBytes("SyncMe");
            expect("SyncMe");
        }

        void expect(String text) throws IOException {
            assertArrayEquals(text.getBytes(StandardCharsets.US_ASCII), in.readNBytes(text.length()));
        }

        void echo(int times) throws IOException {
            for (int i = 0; i < times; i++) {
                out.writeByte(in.readByte());
            }
        }

        void bounce(int times) throws IOException {
            for (int i = 0; i < times; i++) {
                out.writeByte('x');
                in.readByte();
            }
        }

        /** Exchanges QUIT and reads to the end of file: nothing may come after QUIT. */
        void quit() throws IOException {
            out.writeBytes("QUIT\0");
            expect("QUIT\0");
            assertEquals(-1, in.read());
        }

        /** The receiver's next connection; this one if there is no reset. */
        Hand resetIf(boolean resetting, ServerSocket server) throws IOException {
            if (!resetting) {
                return this;
            }
            quit();
            close();
            return of(server.accept());
        }

        /** The transmitter's next connection. */
        Hand redial() throws IOException {
            quit();
            close();
            return of(new Socket(socket.getInetAddress(), socket.getPort()));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void pingPongTransmitter() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Run transmitter = Run.transmitter(server.getLocalPort(), "-u", "1", "-n", "258",
                    "-o", folder.resolve("np.out").toString());
            try (Hand hand = Hand.of(server.accept())) {
                hand.sync();
                hand.echo(100);
                hand.sync();
                hand.sync();
                assertArrayEquals(new byte[] {0, 0, 1, 2}, hand.in.readNBytes(4));
                for (int trial = 0; trial < 3; trial++) {
                    hand.sync();
                    hand.echo(258);
                }
                hand.quit();
            }
            assertEquals(0, transmitter.exitCode(), transmitter::err);
        }
    }

    @Test
    void pingPongReceiver() throws Exception {
        Run receiver = Run.receiver("-u", "1");
        try (Hand hand = Hand.of(new Socket("127.0.0.1", receiver.port()))) {
            hand.sync();
            hand.bounce(100);
            hand.sync();
            hand.sync();
            hand.out.writeInt(4);
            for (int trial = 0; trial < 3; trial++) {
                hand.sync();
                hand.bounce(4);
            }
            hand.quit();
        }
        assertEquals(0, receiver.exitCode(), receiver::err);
    }

    /** A new connection after the estimate and every trial; the receiver's time is the result. */
    @Test
    void streamTransmitter() throws Exception {
        Path results = folder.resolve("np.out");
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Run transmitter = Run.transmitter(server.getLocalPort(), "-s", "-u", "1", "-n", "7", "-o",
                    results.toString());
            try (Hand hand = Hand.of(server.accept())) {
                hand.sync();
                hand.echo(100);
                hand.sync();
                hand.quit();
            }
            for (int trial = 0; trial < 3; trial++) {
                try (Hand hand = Hand.of(server.accept())) {
                    if (trial == 0) {
                        hand.sync();
                        assertEquals(7, hand.in.readInt());
                    }
                    hand.sync();
                    assertEquals(7, hand.in.readNBytes(7).length);
                    hand.quit();
                }
            }
            try (Hand hand = Hand.of(server.accept())) {
                hand.out.writeInt(12_345_678);
                hand.quit();
            }
            assertEquals(0, transmitter.exitCode(), transmitter::err);
            assertEquals("       1 0.000062   0.12345678\n", Files.readString(results));
        }
    }

    /** --first-repeats raises the count that is announced for the first size, and only that. */
    @Test
    void firstRepeats() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Run transmitter = Run.transmitter(server.getLocalPort(), "-u", "2", "--trial-seconds", "0.0001",
                    "--first-repeats", "9876", "-o", folder.resolve("np.out").toString());
            try (Hand hand = Hand.of(server.accept())) {
                hand.sync();
                hand.echo(100);
                hand.sync();
                hand.sync();
                assertEquals(9876, hand.in.readInt());
                for (int trial = 0; trial < 3; trial++) {
                    hand.sync();
                    hand.echo(9876);
                }
                hand.sync();
                assertTrue(hand.in.readInt() < 9876);
            }
            transmitter.exitCode(); // 1, because the test has closed the connection
        }
    }

    /**
     * The time of a ping-pong's message is half of the round; with both directions at once, it is the round. The time of a
     * trial is at least what this thread has slept in it, and at most what has passed around it, on a busy machine too.
     */
    @ParameterizedTest
    @CsvSource({"-r, 2", "-2, 1"})
    void theTimeOfARound(String mode, int messagesOneAfterTheOther) throws Exception {
        long slept = Long.MAX_VALUE;
        long passed = Long.MAX_VALUE;
        Path results = folder.resolve("np.out");
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Run transmitter = Run.transmitter(server.getLocalPort(), mode, "-u", "1", "-n", "2", "-o",
                    results.toString());
            Hand hand = Hand.of(server.accept());
            hand.sync();
            hand.echo(100);
            hand.sync();
            hand = hand.resetIf(mode.equals("-r"), server);
            hand.sync();
            assertEquals(2, hand.in.readInt());
            long start = System.nanoTime();
            hand.sync();
            for (int trial = 0; trial < 3; trial++) {
                long asleep = 0;
                for (int i = 0; i < 2; i++) {
                    byte message = hand.in.readByte();
                    // By now the transmitter has started its clock, however late it was.
                    long before = System.nanoTime();
                    Thread.sleep(20);
                    asleep += System.nanoTime() - before;
                    hand.out.writeByte(message);
                }
                hand = hand.resetIf(mode.equals("-r"), server);
                long next = System.nanoTime(); // the transmitter's clock has stopped, and starts at the next "SyncMe" of both
                if (trial < 2) {
                    hand.sync();
                } else {
                    hand.quit();
                }
                slept = Math.min(slept, asleep);
                passed = Math.min(passed, System.nanoTime() - start);
                start = next;
            }
            hand.close();
            assertEquals(0, transmitter.exitCode(), transmitter::err);
        }
        double nanos = 1e9 * Double.parseDouble(Files.readString(results).trim().split(" +")[2]);
        double messages = 2 * messagesOneAfterTheOther;
        assertTrue(nanos >= slept / messages - 10 && nanos <= passed / messages + 10, () -> "took " + nanos); // rounded
    }

    /**
     * The receiver of a stream reports the time of a message, not halved, in units of 10 ns. The test can't see when the
     * receiver starts its clock. So if the receiver may have been late, the test tries again with a longer pause.
     */
    @Test
    void streamReceiver() throws Exception {
        int millis = 200;
        int time = timeOfAStream(millis);
        while (time < tooLittle(millis) && millis < 3_000) {
            millis *= 4;
            time = timeOfAStream(millis);
        }
        int last = time;
        assertTrue(time >= tooLittle(millis), () -> "took " + last);
    }

    /** In units of 10 ns. Each of two messages takes half of the pause between them; a halved time would be a quarter of it. */
    private static int tooLittle(int millis) {
        return 100_000 * millis * 3 / 8;
    }

    private static int timeOfAStream(int millis) throws Exception {
        Run receiver = Run.receiver("-s", "-u", "1");
        Hand hand = Hand.of(new Socket("127.0.0.1", receiver.port()));
        hand.sync();
        hand.bounce(100);
        hand.sync();
        hand = hand.redial();
        hand.sync();
        hand.out.writeInt(2);
        for (int trial = 0; trial < 3; trial++) {
            hand.sync();
            hand.out.writeByte('x');
            Thread.sleep(millis);
            hand.out.writeByte('x');
            hand = hand.redial();
        }
        int time = hand.in.readInt();
        hand.quit();
        hand.close();
        assertEquals(0, receiver.exitCode(), receiver::err);
        return time;
    }

    @Test
    void aStrangerIsToldFromAPeer() throws Exception {
        Run receiver = Run.receiver();
        try (Socket stranger = new Socket("127.0.0.1", receiver.port())) {
            stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals(1, receiver.exitCode());
            assertTrue(receiver.err().contains("NetPIPE: synchronization string incorrect"), receiver::err);
        }
    }

    @Test
    void aPeerThatDiesIsNoticed() throws Exception {
        Run receiver = Run.receiver();
        try (Hand hand = Hand.of(new Socket("127.0.0.1", receiver.port()))) {
            hand.sync();
        }
        assertEquals(1, receiver.exitCode());
        assertTrue(receiver.err().contains("NetPIPE: the peer closed the connection"), receiver::err);
    }
}
