package jfs.conformance.typed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteOrder;
import java.util.Random;
import jfs.JFS;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Subject;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A typed stream that may take bytes which were not asked for. */
@Tag("ends")
class ReadAheadTest {

    /** Counts the reads of its program. */
    private static final class CountingSocket extends Socket {

        private int reads;

        CountingSocket(InetAddress address, int port) throws IOException {
            super(address, port);
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    reads++;
                    return super.read(into, offset, length);
                }
            };
        }
    }

    /** Elements, bytes and claims of random lengths, while reading ahead is switched on and off. */
    @Start.AtEach
    void allComesInOrder(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = JFS.streams(ends.near()).output();
            TypedInput in = JFS.streams(ends.far()).input();
            int rounds = 400;
            Background<Void> writer = Background.run(() -> {
                Random lots = new Random(1);
                for (int i = 0; i < rounds; i++) {
                    int length = length(lots);
                    if (lots.nextInt(3) == 0) {
                        out.write(Bytes.of(i, 0, length));
                    } else {
                        Slices type = Slices.values()[lots.nextInt(8)];
                        type.write(out, type.random(length, i), 0, length);
                    }
                }
                ends.near().shutdownOutput();
            });
            Random lots = new Random(1);
            Random own = new Random(2);
            for (int i = 0; i < rounds; i++) {
                in.readAhead(own.nextInt(4) > 0);
                int length = length(lots);
                if (lots.nextInt(3) == 0) {
                    readBytes(in, own, i, length);
                } else {
                    Slices type = Slices.values()[lots.nextInt(8)];
                    Object seen = type.zeros(length);
                    type.readAll(in, seen, new Random(i));
                    assertArrayEquals(new Object[] {type.random(length, i)}, new Object[] {seen});
                }
            }
            assertEquals(-1, in.read());
            writer.result();
        }
    }

    /** By single reads, by arrays, or by claims that are released in part. */
    private static void readBytes(TypedInput in, Random own, int seed, int length) throws IOException {
        byte[] expected = Bytes.of(seed, 0, length);
        byte[] seen = new byte[length];
        for (int done = 0; done < length;) {
            switch (own.nextInt(3)) {
                case 0 -> seen[done++] = (byte) in.read();
                case 1 -> done += in.read(seen, done, 1 + own.nextInt(length - done));
                default -> {
                    int least = 1 + own.nextInt(length - done);
                    try (ReadClaim claim = in.claim(least)) {
                        claim.get(0, seen, done, least);
                        int part = own.nextInt(least + 1);
                        claim.release(part);
                        done += part;
                    }
                }
            }
        }
        assertArrayEquals(expected, seen);
    }

    private static int length(Random lots) {
        return switch (lots.nextInt(30)) {
            case 0 -> 20_000 + lots.nextInt(9);
            case 1, 2 -> 1_000 + lots.nextInt(9);
            default -> 1 + lots.nextInt(60);
        };
    }

    /** Each small read of a stream that may not read ahead is one of the socket's own stream, which has the bytes behind it. */
    @Test
    void oneReadTakesWhatHasCome() throws Exception {
        Subject.current();
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                CountingSocket near = new CountingSocket(listener.getInetAddress(), listener.getLocalPort());
                Socket far = listener.accept()) {
            TypedOutput out = JFS.streams(far, ByteOrder.BIG_ENDIAN).output();
            TypedInput in = JFS.streams(near, ByteOrder.BIG_ENDIAN).input();
            out.write(new long[] {1, 2, 3, 4, 5, 6});
            long[] seen = new long[1];
            for (int i = 1; i <= 3; i++) {
                in.readFully(seen);
                assertEquals(i, seen[0]);
            }
            assertEquals(4, claimed(in));
            assertEquals(4, near.reads);
            assertArrayEquals(new byte[] {0, 0, 0, 0, 0, 0, 0, 5}, near.getInputStream().readNBytes(8));
            near.reads = 0;
            in.readAhead(true);
            in.readFully(seen);
            assertEquals(6, seen[0]);
            out.write(new long[] {7, 8, 9, 10});
            in.readFully(seen);
            assertEquals(7, seen[0]);
            assertEquals(8, claimed(in));
            assertEquals(0, in.read());
            in.readAhead(false);
            assertEquals(0, in.readNBytes(7)[0]);
            assertEquals(10, claimed(in));
            assertEquals(2, near.reads);
        }
    }

    private static long claimed(TypedInput in) throws IOException {
        try (ReadClaim claim = in.claim(8)) {
            long value = claim.getLong(0);
            claim.release(8);
            return value;
        }
    }
}
