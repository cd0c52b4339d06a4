package jfs.ring;

import static jfs.ring.Ends.at;
import static jfs.ring.Ends.pattern;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import jfs.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ring as an algorithm: one thread plays both sides in any order, or two threads race. */
class RingTest {

    private static final int WINDOW = InboxLayout.WINDOW_MIN;
    private static final int OVERFLOW = 16_384;

    @Test
    void whatIsSentIsReceived() throws Exception {
        Ends d = new Ends(WINDOW, OVERFLOW, 1024);
        byte[] message = pattern(100, 0);
        assertEquals(100, d.sender.send(message, 0, 100));
        assertTrue(d.receiver.hasNews());
        assertEquals(100, d.receiver.available());
        byte[] into = new byte[200];
        assertEquals(100, d.receiver.receive(into, 0, 200));
        assertArrayEquals(message, Arrays.copyOf(into, 100));
        assertFalse(d.receiver.hasNews());
        assertEquals(0, d.receiver.receive(into, 0, 200));
    }

    /** The header of the n-th record, if the records before it have one line each or the length that is given. */
    private static long[] lengths(Ends d, int count) {
        long[] lengths = new long[count];
        int line = 0;
        for (int i = 0; i < count; i++) {
            lengths[i] = d.receivers.getLongAcquire(InboxLayout.RING + line * InboxLayout.LINE);
            line += InboxLayout.linesOf((int) lengths[i]);
        }
        return lengths;
    }

    @Test
    void theBorderOfTheLongProtocolCanChange() throws Exception {
        Ends d = new Ends(WINDOW, OVERFLOW, 256);
        byte[] message = pattern(1_000, 0);
        assertEquals(1_000, d.sender.send(message, 0, 1_000));
        d.sender.longMin(1_024);
        assertEquals(1_000, d.sender.send(message, 0, 1_000));
        assertArrayEquals(new long[] {248, 248, 248, 248, 8, 1_000, 0}, lengths(d, 7));
        byte[] into = new byte[2_000];
        assertEquals(2_000, d.receiver.receive(into, 0, 2_000));
        assertArrayEquals(message, Arrays.copyOfRange(into, 1_000, 2_000));
    }

    @Test
    void severalIsMoreThanOneRecord() throws Exception {
        Ends d = new Ends(WINDOW, OVERFLOW, 1_024);
        byte[] message = pattern(100, 0);
        byte[] into = new byte[WINDOW];
        assertFalse(d.receiver.hasSeveral());
        for (int round = 0; round < 3 * WINDOW / InboxLayout.LINE; round++) { // around the ring
            d.sender.send(message, 0, 100);
            assertFalse(d.receiver.hasSeveral(), "one");
            d.sender.send(message, 0, 1);
            assertTrue(d.receiver.hasSeveral(), "two");
            assertEquals(50, d.receiver.receive(into, 0, 50));
            assertTrue(d.receiver.hasSeveral(), "a part of one and another one");
            assertEquals(51, d.receiver.receive(into, 0, WINDOW));
            assertFalse(d.receiver.hasSeveral(), "none");
        }
        while (d.sender.hasRoom()) {
            d.sender.send(message, 0, 100);
        }
        d.sender.spill(message, 0, 100);
        while (!(d.receiver.receive(into, 0, 7) == 0)) {
            assertTrue(d.receiver.hasNews() || d.receiver.available() == 0);
        }
        assertTrue(d.receiver.hasSeveral(), "it is in the overflow ring, which has no records");
    }

    /** The kinds of memory that a program may send from or receive into. The bytes begin somewhere within it. */
    private enum Kind {
        ARRAY, HEAP_BUFFER, DIRECT_BUFFER, READ_ONLY_BUFFER, IN_PLACE;

        private static final int BEFORE = 3;

        ByteBuffer of(byte[] bytes) {
            int capacity = BEFORE + bytes.length;
            ByteBuffer buffer = this == DIRECT_BUFFER ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
            buffer.put(BEFORE, bytes);
            return this == READ_ONLY_BUFFER ? buffer.asReadOnlyBuffer() : buffer;
        }

        int send(RingSender sender, byte[] bytes) throws CorruptRingException {
            if (this == IN_PLACE) {
                return sendInPlace(sender, bytes);
            }
            return this == ARRAY ? sender.send(bytes, 0, bytes.length) : sender.send(of(bytes), BEFORE, bytes.length);
        }

        /** Fills more than it commits, and sometimes gives a claim up. The length decides which. */
        private static int sendInPlace(RingSender sender, byte[] bytes) throws CorruptRingException {
            Claim claim = new Claim();
            int least = bytes.length % 3 == 0 ? 1 : bytes.length;
            if (!sender.claim(claim, least, bytes.length)) {
                return sender.send(bytes, 0, bytes.length);
            }
            assertTrue(claim.offset() % Long.BYTES == 0 && claim.length() >= least && claim.length() <= bytes.length);
            claim.memory().put(claim.offset(), bytes, 0, claim.length());
            if (bytes.length % 7 == 0) {
                return sender.send(bytes, 0, bytes.length);
            }
            int part = bytes.length % 5 == 0 ? 1 + claim.length() / 4 : claim.length();
            sender.commit(part);
            return part;
        }

        int spill(RingSender sender, byte[] bytes) throws CorruptRingException {
            return this == ARRAY ? sender.spill(bytes, 0, bytes.length) : sender.spill(of(bytes), BEFORE, bytes.length);
        }

        int receive(RingReceiver receiver, byte[] into, int length) throws CorruptRingException {
            if (this == IN_PLACE) {
                Claim claim = new Claim();
                int shown = receiver.peek(claim);
                assertEquals(shown, shown == 0 ? 0 : claim.length());
                assertEquals(shown, receiver.peek(claim), "nothing was released");
                int n = Math.min(shown, length);
                if (n > 0) {
                    claim.memory().get(claim.offset(), into, 0, n);
                    receiver.release(n);
                }
                return n;
            }
            if (this == ARRAY || this == READ_ONLY_BUFFER) {
                return receiver.receive(into, 0, length);
            }
            ByteBuffer buffer = of(into);
            int n = receiver.receive(buffer, BEFORE, length);
            assertEquals(0, buffer.position(), "the caller moves it");
            buffer.get(BEFORE, into);
            return n;
        }
    }

    /**
     * Any sequence of sends, spills and receives of any sizes, from and into memory of any kind, gives the same bytes, and never more than
     * were sent.
     */
    @ParameterizedTest
    @CsvSource({"8192,4096,64", "8192,16384,1024", "12288,4096,100000", "163840,4194304,8192"})
    void anyInterleavingKeepsTheStream(int window, int overflow, int longMin) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] light = {0};
        Ends d = new Ends(window, overflow, longMin, true, () -> random.nextInt(3) > 0 && light[0]++ >= 0);
        long sent = 0;
        long received = 0;
        byte[] into = new byte[window];
        for (int step = 0; step < 40_000; step++) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            int size = 1 + (random.nextInt(4) == 0 ? random.nextInt(window) : random.nextInt(200));
            if (random.nextInt(100) == 0) {
                d.sender.freePages(d::lose);
            } else if (random.nextBoolean()) {
                byte[] from = pattern(size, sent);
                int n = kind.send(d.sender, from);
                if (n == 0 && random.nextInt(3) > 0) {
                    assertFalse(d.sender.hasRoom(), () -> "room, yet nothing taken; seed " + seed);
                    boolean takes = d.sender.canTakeOrSpill();
                    n = kind.spill(d.sender, from);
                    assertEquals(takes, n > 0, "seed " + seed);
                }
                sent += n;
                d.sender.takeDrainedOverflow();
            } else {
                assertEquals(Math.min(Integer.MAX_VALUE, sent - received), d.receiver.available(), "seed " + seed);
                int n = kind.receive(d.receiver, into, size);
                assertTrue(n > 0 || sent == received, () -> "nothing received though sent; seed " + seed);
                for (int i = 0; i < n; i++) {
                    if (into[i] != at(received + i)) {
                        throw new AssertionError("byte " + (received + i) + " is wrong; seed " + seed);
                    }
                }
                received += n;
            }
        }
        assertTrue(received > window && light[0] > 10, "nothing tested");
    }

    /** The caller has used another method between a claim and its commit, or between a look and its release. */
    @Test
    void anotherCallInBetweenIsNoticed() throws Exception {
        Ends d = new Ends(WINDOW, OVERFLOW, 1024);
        Claim claim = new Claim();
        assertTrue(d.sender.claim(claim, 100, 100));
        d.sender.send(pattern(100, 0), 0, 100);
        assertThrows(IllegalStateException.class, () -> d.sender.commit(100));
        byte[] into = new byte[100];
        assertEquals(100, d.receiver.peek(claim));
        assertEquals(60, d.receiver.receive(into, 0, 60));
        assertThrows(IllegalStateException.class, () -> d.receiver.release(100));
        assertEquals(40, d.receiver.receive(into, 60, 40));
        assertArrayEquals(pattern(100, 0), into);
    }

    /** The methods for records of one line, and the general ones, in any order, several times around the ring. */
    @Test
    void recordsOfOneLineKeepTheStream() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Ends d = new Ends(WINDOW, OVERFLOW, 1024);
        int sent = 0;
        int received = 0;
        int shortSends = 0;
        int shortReceives = 0;
        byte[] into = new byte[200];
        for (int step = 0; step < 20_000; step++) {
            int size = 1 + random.nextInt(random.nextInt(4) == 0 ? 200 : 3);
            if (sent - received < 20 && random.nextBoolean()) {
                byte[] from = pattern(size, sent);
                boolean line = d.sender.sendLine(from, 0, size);
                sent += line ? size : d.sender.send(from, 0, size);
                if (random.nextInt(3) > 0) {
                    d.sender.zeroAhead();
                }
                shortSends += line ? 1 : 0;
            } else {
                boolean line = d.receiver.receiveLine(into, 0, size, 1);
                int n = line ? size : d.receiver.receive(into, 0, size);
                assertEquals(Math.min(size, sent - received), n, "seed " + seed);
                assertArrayEquals(pattern(n, received), Arrays.copyOf(into, n), "seed " + seed);
                received += n;
                shortReceives += line ? 1 : 0;
            }
        }
        assertTrue(shortSends > 300 && shortReceives > 300, shortSends + " and " + shortReceives);
    }

    /** The receiver counts each record once. So a loop of available() and read() takes time proportional to its bytes. */
    @Test
    void eachRecordIsCountedOnce() throws Exception {
        Ends d = new Ends(WINDOW, OVERFLOW, 1024);
        int records = WINDOW / InboxLayout.LINE / 2;
        byte[] bytes = pattern(records, 0);
        for (int i = 0; i < records; i++) {
            assertEquals(1, d.sender.send(bytes, i, 1));
        }
        assertEquals(records, d.receiver.available());
        long[] headers = new long[records];
        for (int i = 0; i < records; i++) {
            headers[i] = d.receivers.getLong(InboxLayout.RING + i * InboxLayout.LINE);
            d.receivers.setLong(InboxLayout.RING + i * InboxLayout.LINE, Long.MIN_VALUE); // a receiver that looks here fails
        }
        byte[] into = new byte[1];
        for (int i = 0; i < records; i++) {
            assertEquals(records - i, d.receiver.available());
            d.receivers.setLong(InboxLayout.RING + i * InboxLayout.LINE, headers[i]);
            boolean line = i % 2 == 0 && d.receiver.receiveLine(into, 0, 1, 1);
            assertTrue(line || d.receiver.receive(into, 0, 1) == 1);
            assertEquals(bytes[i], into[0]);
        }
        assertEquals(0, d.receiver.available());
        assertEquals(1, d.sender.send(bytes, 0, 1));
        assertEquals(1, d.receiver.available());
    }

    /** RING-1: a payload full of words that look like headers is never taken for a header. */
    @Test
    void payloadsAreNeverTakenForHeaders() throws Exception {
        Ends d = new Ends(WINDOW, OVERFLOW, 100_000);
        ByteBuffer evil = ByteBuffer.allocate(1500).order(java.nio.ByteOrder.nativeOrder());
        while (evil.remaining() >= 8) {
            evil.putLong(40);
        }
        byte[] into = new byte[4096];
        for (int i = 0; i < 1000; i++) {
            assertEquals(1500, d.sender.send(evil.array(), 0, 1500));
            assertEquals(1500, d.receiver.receive(into, 0, into.length));
            assertFalse(d.receiver.hasNews());
            assertEquals(1, d.sender.send(evil.array(), 0, 1));
            assertEquals(1, d.receiver.receive(into, 0, into.length));
        }
    }

    /** Two threads send and receive as fast as they can, with all sizes. The sender sometimes spills when the ring is full. */
    @Test
    void twoThreadsKeepTheStream() throws Exception {
        long seed = System.nanoTime();
        Ends d = new Ends(WINDOW, OVERFLOW, 512, true, new Random(seed + 2)::nextBoolean);
        long total = 60_000_000;
        Thread sender = new Thread(() -> {
            Random random = new Random(seed);
            long sent = 0;
            try {
                while (sent < total) {
                    int size = (int) Math.min(total - sent, 1 + random.nextInt(random.nextInt(8) == 0 ? 20_000 : 100));
                    byte[] from = pattern(size, sent);
                    for (int at = 0; at < size;) {
                        int n = d.sender.send(from, at, size - at);
                        if (n == 0 && random.nextInt(50) == 0) {
                            n = d.sender.spill(from, at, size - at);
                        }
                        if (n == 0) {
                            Thread.onSpinWait();
                        }
                        at += n;
                    }
                    sent += size;
                    d.sender.takeDrainedOverflow();
                }
            } catch (CorruptRingException e) {
                throw new IllegalStateException(e);
            }
        });
        sender.setDaemon(true);
        sender.start();
        Random random = new Random(seed + 1);
        byte[] into = new byte[30_000];
        for (long received = 0; received < total;) {
            int n = d.receiver.receive(into, 0, 1 + random.nextInt(into.length));
            for (int i = 0; i < n; i++) {
                if (into[i] != at(received + i)) {
                    throw new AssertionError("byte " + (received + i) + " is wrong; seed " + seed);
                }
            }
            received += n;
            if (n == 0) {
                Thread.yield();
            }
        }
        sender.join();
        assertFalse(d.receiver.hasNews());
    }
}
