package jfs.transport.sci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import jfs.spi.Claim;
import jfs.spi.FastPath;
import jfs.spi.Preferences;
import jfs.spi.TcpDescriptor;
import jfs.spi.Transport;
import jfs.spi.WaitCounters;
import jfs.testing.Natives;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a path does otherwise for a program that has stated what it prefers. Both ends are in this process, and one thread uses both. */
class PreferredPathTest {

    private static final int VERSION = 3;
    private static final int LONG_MIN = 8_192;
    private static final int HEADER = 8;

    private FastPath near;
    private FastPath far;
    private final Waits waits = new Waits();

    /** A socket that is closed, so that a thread that is about to sleep does not. */
    private static final TcpDescriptor CLOSED = new TcpDescriptor() {
        @Override
        public int acquire() {
            return -1;
        }

        @Override
        public void release() {
        }

        @Override
        public boolean hasEvent() {
            return false;
        }
    };

    private static final class Waits implements WaitCounters {
        int sleeps;
        int found;

        @Override
        public void sleeps(boolean reader) {
            sleeps++;
        }

        @Override
        public void waited(boolean reader, boolean polled) {
            found += polled ? 1 : 0;
        }

        @Override
        public void rang(boolean reader) {
        }
    }

    @BeforeAll
    static void loadNatives() {
        Natives.load();
    }

    @BeforeEach
    void connect() throws Exception {
        SciTransport transport = new SciTransport(new SciTransport.Sizes(1 << 20, 1 << 20, LONG_MIN, 20), 1 << 30);
        ByteBuffer description = ByteBuffer.allocate(64);
        Transport.Offer offer = transport.offer(VERSION, 42, "peer");
        offer.describe(description);
        Transport.Joined joined = transport.join(VERSION, description.flip(), 42);
        ByteBuffer answer = ByteBuffer.allocate(64);
        joined.answer(answer);
        near = offer.complete(answer.flip());
        far = joined.path();
        near.switchAt(0);
        assertEquals(0, far.switchedAt());
        far.countWaitsIn(waits);
    }

    @AfterEach
    void retire() {
        for (FastPath end : new FastPath[] {near, far}) {
            end.retireReceiver();
            end.retireSender();
        }
    }

    /** How long the records are of which the peer's receiver makes a long write, bytes. */
    private int longestRecord() throws Exception {
        byte[] message = new byte[200_000];
        assertEquals(message.length, near.send(message, 0, message.length));
        Claim claim = new Claim();
        int longest = 0;
        for (int left = message.length; left > 0;) {
            int n = far.peek(claim, message, 0, message.length);
            longest = Math.max(longest, n);
            far.release(n);
            left -= n;
        }
        return longest;
    }

    @Test
    void bandwidthBeforeLatencyMakesLongWritesGoInLongerPieces() throws Exception {
        assertEquals(LONG_MIN - HEADER, longestRecord());
        near.prefer(new Preferences(0, 1, 0));
        assertEquals(4 * LONG_MIN - HEADER, longestRecord());
        near.prefer(new Preferences(1, 1, 0));
        assertEquals(LONG_MIN - HEADER, longestRecord());
    }

    /** A nap counts as a sleep. */
    @Test
    void aReaderThatSavesProcessorTimeNapsBeforeItSleeps() throws Exception {
        far.awaitData(CLOSED, 0);
        assertEquals(1, waits.sleeps);
        far.prefer(new Preferences(0, 0, 1));
        far.awaitData(CLOSED, 0);
        assertEquals(3, waits.sleeps, "a nap and a sleep");
        far.prefer(new Preferences(1, 0, 0));
        far.awaitData(CLOSED, 0);
        assertEquals(4, waits.sleeps);
    }

    /** A poll for what comes at once costs less than a sleep. */
    @Test
    void aReaderThatSavesProcessorTimeStillFindsWhatComesAtOnce() throws Exception {
        byte[] message = new byte[100];
        far.prefer(new Preferences(0, 0, 1));
        for (int i = 0; i < 10_000 && waits.found == 0; i++) { // unless other programs want the cores
            near.send(message, 0, 1);
            far.awaitData(CLOSED, 0);
            assertEquals(1, far.receiveSoon(message, 0, 100));
        }
        assertTrue(waits.found > 0);
    }
}
