package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOptions;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jfs.spi.FastPath;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What event loops use of a connection: reads and writes that never wait, and news without a thread that sleeps. */
@Timeout(120)
class NonBlockingTest {

    private static final int BUFFER = 100_000;

    /** Over each path, and over each kind of TCP socket below it. */
    static Stream<Arguments> pairs() {
        return Stream.of(ConnectedPair.Path.values()).flatMap(path -> Stream.of(Arguments.of(path, true), Arguments.of(path, false)));
    }

    private static ByteBuffer buffer(Random random, int length) {
        int before = random.nextInt(5);
        ByteBuffer it = random.nextBoolean() ? ByteBuffer.allocateDirect(before + length + 7) : ByteBuffer.allocate(before + length + 7);
        return it.position(before).limit(before + length).slice();
    }

    private static byte at(long position) {
        return (byte) (position * 31 + (position >>> 8) * 7 + (position >>> 16));
    }

    /** Fills a buffer with the bytes of the stream from that position on. */
    private static ByteBuffer filled(Random random, long position) {
        ByteBuffer it = buffer(random, 1 + (random.nextInt(5) == 0 ? random.nextInt(BUFFER) : random.nextInt(300)));
        while (it.hasRemaining()) {
            it.put(at(position + it.position()));
        }
        it.flip();
        return random.nextInt(5) == 0 ? it.asReadOnlyBuffer() : it;
    }

    private static void check(ByteBuffer read, long position) {
        for (int i = 0; i < read.position(); i++) {
            if (read.get(i) != at(position + i)) {
                throw new AssertionError("byte " + (position + i) + " is wrong");
            }
        }
    }

    /** Both ends are event loops, each in one thread, and the path comes in the middle of the streams. */
    @ParameterizedTest
    @MethodSource("pairs")
    void streamsBothWaysFromTcpToThePath(ConnectedPair.Path path, boolean jdk) throws Exception {
        int bytes = 3_000_000;
        long seed = System.nanoTime();
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            Background<Void> there = Background.run(() -> bothWays(new Loop(pair.far), bytes, new Random(seed)));
            Background<Void> here = Background.run(() -> bothWays(new Loop(pair.near), bytes, new Random(seed + 1)));
            pair.attach();
            here.result();
            there.result();
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static void bothWays(Loop loop, int bytes, Random random) throws Exception {
        long sent = 0;
        long received = 0;
        ByteBuffer out = null;
        while (received < bytes || sent < bytes) {
            boolean moved = false;
            if (sent < bytes) {
                out = out == null ? filled(random, sent) : out;
                out.limit((int) Math.min(out.limit(), out.position() + bytes - sent));
                int n = loop.writer.tryWrite(out);
                sent += n;
                moved = n > 0;
                out = out.hasRemaining() ? out : null;
            }
            if (received < bytes) {
                ByteBuffer in = buffer(random, 1 + random.nextInt(BUFFER));
                int n = loop.reader.tryRead(in);
                assertEquals(Math.max(n, 0), in.position());
                assertTrue(n >= 0, "the stream ends");
                check(in, received);
                received += n;
                moved |= n > 0;
            }
            if (!moved) {
                loop.await(sent < bytes);
            }
        }
    }

    /** A program with a channel at one end and a socket's streams at the other. */
    @ParameterizedTest
    @MethodSource("pairs")
    void theOtherEndMayBlock(ConnectedPair.Path path, boolean jdk) throws Exception {
        int rounds = 2_000;
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            Background<Void> echo = Background.run(() -> {
                byte[] some = new byte[BUFFER];
                for (int n; (n = pair.far.reader().read(some, 0, some.length)) > 0;) {
                    pair.far.writer().write(some, 0, n);
                }
            });
            Loop loop = new Loop(pair.near);
            Random random = new Random(1);
            long position = 0;
            for (int i = 0; i < rounds; i++) {
                if (i == rounds / 4) {
                    pair.attach();
                }
                ByteBuffer out = filled(random, position);
                int length = out.remaining();
                ByteBuffer in = buffer(random, length);
                while (in.hasRemaining()) {
                    loop.writer.tryWrite(out);
                    if (loop.reader.tryRead(in) == 0) {
                        loop.await(out.hasRemaining());
                    }
                }
                check(in, position);
                position += length;
            }
            pair.near.shutdownOutput();
            echo.result();
        }
    }

    /** Both directions have switched when this returns. */
    private static void converse(ConnectedPair pair) throws Exception {
        pair.attach();
        Loop near = new Loop(pair.near);
        Loop far = new Loop(pair.far);
        for (int i = 0; i < 3; i++) {
            near.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertEquals(3, far.read(ByteBuffer.allocate(8)));
            far.write(ByteBuffer.wrap(new byte[] {4, 5}));
            assertEquals(2, near.read(ByteBuffer.allocate(8)));
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void anArmedReaderIsToldOnce(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            Semaphore news = new Semaphore(0);
            assertFalse(new Loop(pair.near).reader.isReadable());
            assertTrue(new Loop(pair.near).reader.arm(news::release) > 0);
            new Loop(pair.far).write(ByteBuffer.wrap(new byte[100]));
            assertTrue(news.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            Await.until("readable", () -> new Loop(pair.near).reader.isReadable());
            assertEquals(0, new Loop(pair.near).reader.arm(news::release), "there are bytes");
            assertEquals(100, new Loop(pair.near).read(ByteBuffer.allocateDirect(200)));
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void aFullPathHasRoomAgainWhenThePeerReads(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            NonBlockingWriter writer = pair.near.newNonBlockingWriter();
            long sent = 0;
            Semaphore news = new Semaphore(0);
            ByteBuffer some = ByteBuffer.allocateDirect(10_000);
            for (long told = 0; told == 0;) {
                for (int n = 1; n > 0; sent += n) {
                    n = writer.tryWrite(some.clear());
                }
                told = writer.arm(news::release);
            }
            assertFalse(writer.isWritable());
            Loop far = new Loop(pair.far);
            long read = 0;
            while (read < sent) {
                read += far.read(some.clear());
            }
            assertTrue(news.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            Await.until("writable", writer::isWritable);
            new Loop(pair.near).write(some.clear());
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void anArmedReaderIsToldOfTheEnd(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            Semaphore news = new Semaphore(0);
            assertTrue(new Loop(pair.near).reader.arm(news::release) > 0);
            pair.far.shutdownOutput();
            assertTrue(news.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            Await.until("readable", () -> new Loop(pair.near).reader.isReadable());
            assertEquals(-1, new Loop(pair.near).read(ByteBuffer.allocate(1)));
            assertEquals(0, new Loop(pair.near).reader.arm(news::release));
            assertEquals(-1, new Loop(pair.near).reader.tryRead(ByteBuffer.allocate(1)));
            new Loop(pair.near).write(ByteBuffer.wrap(new byte[] {6}));
            assertEquals(1, new Loop(pair.far).read(ByteBuffer.allocate(9)), "the other direction goes on");
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void anArmedReaderIsToldOfItsOwnEndsClose(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            Semaphore news = new Semaphore(0);
            assertTrue(new Loop(pair.near).reader.arm(news::release) > 0);
            pair.near.close();
            assertTrue(news.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            assertTrue(new Loop(pair.near).reader.isReadable());
            assertEquals("Socket closed",
                    assertThrows(SocketException.class, () -> new Loop(pair.near).reader.tryRead(ByteBuffer.allocate(1))).getMessage());
            assertEquals("Socket closed",
                    assertThrows(SocketException.class, () -> new Loop(pair.near).writer.tryWrite(ByteBuffer.allocate(1))).getMessage());
            new Loop(pair.near).reader.disarm();
        }
    }

    /** As over TCP: the peer's close with unread bytes is an end for the reader, and then a reset. Nothing waits meanwhile. */
    @ParameterizedTest
    @MethodSource("pairs")
    void aPeerThatHasClosedFailsTheWriter(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            pair.far.close();
            Loop near = new Loop(pair.near);
            assertEquals(-1, near.read(ByteBuffer.allocate(1)));
            IOException failure = assertThrows(IOException.class, () -> {
                for (int i = 0; i < 10_000_000; i++) {
                    near.write(ByteBuffer.wrap(new byte[] {1}));
                }
            });
            assertTrue("Broken pipe".equals(failure.getMessage()) || "Connection reset by peer".equals(failure.getMessage()),
                    failure::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void aReset(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            pair.far.setOption(SocketOptions.SO_LINGER, 0);
            pair.far.close();
            Loop near = new Loop(pair.near);
            assertEquals("Connection reset",
                    assertThrows(SocketException.class, () -> near.read(ByteBuffer.allocate(1))).getMessage());
            assertEquals("Connection reset",
                    assertThrows(SocketException.class, () -> new Loop(pair.near).reader.tryRead(ByteBuffer.allocate(1))).getMessage());
        }
    }

    /** The two share the word by which the peer learns whom it has to wake. */
    @ParameterizedTest
    @MethodSource("pairs")
    void aThreadThatSleepsEndsTheArming(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            Semaphore news = new Semaphore(0);
            assertTrue(new Loop(pair.near).reader.arm(news::release) > 0);
            Background<Integer> reader = Background.call(() -> pair.near.reader().read()).blocked();
            assertTrue(news.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            assertEquals(0, new Loop(pair.near).reader.tryRead(ByteBuffer.allocate(1)), "a thread reads");
            assertEquals(FastPath.LOOK_AGAIN_NANOS, new Loop(pair.near).reader.arm(news::release), "it can't be asked");
            assertFalse(new Loop(pair.near).reader.isReadable());
            new Loop(pair.near).reader.disarm();
            new Loop(pair.far).write(ByteBuffer.wrap(new byte[] {7}));
            assertEquals(7, reader.result());
        }
    }

    /** Bytes on TCP are no end of TCP: between hosts the question what TCP's end means would be answered for good (END-5). */
    @ParameterizedTest
    @MethodSource("pairs")
    void aQuestionBeforeTheSwitchChangesNothing(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            Loop near = new Loop(pair.near);
            Loop far = new Loop(pair.far);
            assertFalse(near.reader.isReadable());
            assertTrue(near.writer.isWritable());
            assertEquals(NonBlockingReader.AT_TCP, near.reader.arm(near.news::release));
            far.write(ByteBuffer.wrap(new byte[] {1}));
            Await.until("readable over TCP", near.reader::isReadable);
            pair.attach();
            assertEquals(0, near.reader.arm(near.news::release), "a read has to say that this end is ready");
            assertEquals(1, near.read(ByteBuffer.allocate(9)));
            assertFalse(near.reader.isReadable());
            pair.far.tcp().write(new byte[] {2, 3}, 0, 2); // as a writer that does not know yet that this end is ready
            Await.until("readable while both ways are in use", near.reader::isReadable);
            for (int i = 0; i < 1_000; i++) {
                assertTrue(near.reader.isReadable());
            }
            assertEquals(0, near.reader.arm(near.news::release));
            assertEquals(2, near.read(ByteBuffer.allocate(9)));
            assertFalse(near.reader.isReadable());
            assertTrue(near.reader.arm(near.news::release) > 0);
            near.reader.disarm();
        }
    }

    /** The two directions of an end may share a bell. Its ring is for the one and wakes the other. */
    @ParameterizedTest
    @MethodSource("pairs")
    void aCallbackIsRunBesideASleepingThread(ConnectedPair.Path path, boolean jdk) throws Exception {
        int rounds = Effort.rounds(100, 10_000);
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            NonBlockingWriter writer = pair.near.newNonBlockingWriter();
            Background<Integer> reader = Background.call(() -> pair.near.reader().read());
            Loop far = new Loop(pair.far);
            ByteBuffer some = ByteBuffer.allocateDirect(100_000);
            for (int i = 0; i < rounds; i++) {
                Semaphore news = new Semaphore(0);
                long sent = 0;
                long told = 0;
                while (told == 0) {
                    for (int n = 1; n > 0; sent += n) {
                        n = writer.tryWrite(some.clear());
                    }
                    told = writer.arm(news::release);
                }
                for (long read = 0; read < sent; read += far.read(some.clear())) { }
                assertTrue(news.tryAcquire(5, TimeUnit.SECONDS), "round " + i);
            }
            far.write(ByteBuffer.wrap(new byte[] {8}));
            assertEquals(8, reader.result());
        }
    }

    /** The callback that waits in place of a reading thread is run although the other direction has a thread that hears the bell. */
    @ParameterizedTest
    @MethodSource("pairs")
    void anArmedReaderIsToldBesideASleepingWriter(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            NonBlockingReader reader = pair.near.newNonBlockingReader();
            Background<Void> writer = Background.run(() -> pair.near.writer().write(new byte[10_000_000])).blocked();
            Loop far = new Loop(pair.far);
            for (int i = 0; i < Effort.rounds(200, 20_000); i++) {
                Semaphore news = new Semaphore(0);
                long told = reader.arm(news::release);
                assertTrue(told > 0);
                far.write(ByteBuffer.wrap(new byte[] {9}));
                assertTrue(news.tryAcquire(5, TimeUnit.SECONDS), "round " + i);
                assertEquals(1, new Loop(pair.near).read(ByteBuffer.allocate(9)));
            }
            ByteBuffer some = ByteBuffer.allocateDirect(100_000);
            for (long read = 0; read < 10_000_000; read += far.read(some.clear())) { }
            writer.result();
        }
    }

    /** The rest goes into the reserve: a caller that waits after a write in part must not wait for a peer that waits for the rest. */
    @ParameterizedTest
    @MethodSource("pairs")
    void aWriterWithRoomIsNotArmed(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            NonBlockingWriter writer = pair.near.newNonBlockingWriter();
            assertTrue(writer.tryWrite(ByteBuffer.allocate(30_000)) > 0);
            assertTrue(writer.isWritable());
            assertEquals(0, writer.arm(() -> { }));
            assertTrue(writer.tryWrite(ByteBuffer.allocate(10_000)) > 0);
        }
    }

    /** After the caller was left to TCP, the peer makes the path usable. Nothing tells of that, so the caller has to go on to watch TCP. */
    @ParameterizedTest
    @MethodSource("pairs")
    void aWriterThatWasLeftToTcpNeedsItUntilItIsArmed(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            pair.attach();
            NonBlockingWriter writer = pair.near.newNonBlockingWriter();
            assertEquals(NonBlockingReader.AT_TCP, writer.arm(() -> { }));
            assertEquals(0, new Loop(pair.far).reader.tryRead(ByteBuffer.allocate(1)));
            Await.until("the path is usable", () -> writer.arm(() -> { }) == 0);
            assertTrue(writer.needsTcp());
            ByteBuffer some = ByteBuffer.allocateDirect(10_000);
            do {
                while (writer.tryWrite(some.clear()) > 0) { }
            } while (writer.arm(() -> { }) == 0);
            assertFalse(writer.needsTcp());
        }
    }

    /** A thread that is just leaving a call may free what belongs to the path before the closing thread gets there. */
    @ParameterizedTest
    @MethodSource("pairs")
    void aCallbackIsRunAtACloseThatOtherThreadsHaveFinished(ConnectedPair.Path path, boolean jdk) throws Exception {
        for (int i = 0; i < Effort.rounds(20, 2_000); i++) {
            try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
                converse(pair);
                Loop near = new Loop(pair.near);
                Semaphore news = new Semaphore(0);
                assertTrue(near.reader.arm(news::release) > 0);
                Background<Void> others = Background.run(() -> {
                    while (!pair.near.isClosed()) {
                        near.writer.isWritable();
                    }
                    near.writer.isWritable();
                    near.reader.isReadable();
                });
                pair.near.close();
                others.result();
                assertTrue(news.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void whatIsDisarmedIsNotRun(ConnectedPair.Path path, boolean jdk) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            NonBlockingReader reader = pair.near.newNonBlockingReader();
            assertTrue(reader.arm(() -> {
                throw new AssertionError("it is disarmed");
            }) > 0);
            reader.disarm();
            Semaphore news = new Semaphore(0);
            assertTrue(reader.arm(news::release) > 0);
            new Loop(pair.far).write(ByteBuffer.wrap(new byte[] {1}));
            assertTrue(news.tryAcquire(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            assertThrows(IllegalArgumentException.class, () -> reader.tryRead(ByteBuffer.allocate(1).asReadOnlyBuffer()));
        }
    }

    /** Against a lost wake-up: between the look of an end that arms, and the publishing of its peer, either may come first. */
    @ParameterizedTest
    @MethodSource("pairs")
    void noNewsIsMissed(ConnectedPair.Path path, boolean jdk) throws Exception {
        int rounds = Effort.rounds(5_000, 500_000);
        try (ConnectedPair pair = new ConnectedPair(path, jdk)) {
            converse(pair);
            Background<Void> there = Background.run(() -> bounce(new Loop(pair.far), rounds, false));
            bounce(new Loop(pair.near), rounds, true);
            there.result();
        }
    }

    private static void bounce(Loop loop, int rounds, boolean first) throws Exception {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        for (int i = 0; i < rounds; i++) {
            if (first) {
                loop.write(one.clear());
            }
            assertEquals(1, loop.read(one.clear()));
            if (!first) {
                loop.write(one.clear());
            }
        }
    }
}
