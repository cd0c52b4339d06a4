package jfs.ring;

import static jfs.ring.Ends.pattern;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import jfs.spi.Claim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which memory a stream takes: how much of it is unread, where the next bytes lie, and what an idle direction gives back. */
class RingMemoryTest {

    private static final int WINDOW = InboxLayout.WINDOW_MIN;
    private static final int OVERFLOW = 16_384;

    /** Ring and overflow ring take the unread bytes that SWITCH-3 asks for. */
    @Test
    void anUnreadStreamFillsRingAndOverflow() throws Exception {
        Ends d = new Ends(WINDOW, OVERFLOW, 1024);
        byte[] block = new byte[1000];
        long taken = 0;
        for (int n = 1; n > 0;) {
            n = d.sender.send(block, 0, block.length);
            if (n == 0) {
                n = d.sender.spill(block, 0, block.length);
            }
            taken += n;
        }
        assertFalse(d.sender.hasRoom());
        assertTrue(taken > OVERFLOW && taken < OVERFLOW + WINDOW, "took " + taken);
        byte[] into = new byte[1 << 20];
        assertEquals(taken, d.receiver.receive(into, 0, into.length));
        assertTrue(d.sender.hasRoom());
    }

    /** An idle connection keeps a page or two of the memory that its bytes went through, spills included. */
    @Test
    void anIdleSenderGivesItsPagesBack() throws Exception {
        int window = 64 * InboxLayout.PAGE;
        Ends d = new Ends(window, OVERFLOW, 8192);
        byte[] block = pattern(100_000, 0);
        byte[] into = new byte[block.length];
        for (int round = 0; round < 30; round++) {
            assertEquals(block.length, d.sender.send(block, 0, block.length));
            if (round % 3 == 0) {
                assertTrue(d.sender.spill(block, 0, block.length) > 0);
            }
            while (d.receiver.receive(into, 0, into.length) > 0) {
                // until nothing is left
            }
            int[] ring = {0};
            d.sender.freePages((offset, length) -> {
                ring[0] += offset < InboxLayout.RING + window ? length : 0;
                d.lose(offset, length);
            });
            assertTrue(ring[0] >= window - 4 * InboxLayout.PAGE, () -> "gave back " + ring[0] + " of " + window);
        }
        d.sender.send(block, 0, 1000);
        d.sender.freePages(d::lose);
        assertEquals(1000, d.receiver.receive(into, 0, into.length));
        assertArrayEquals(Arrays.copyOf(block, 1000), Arrays.copyOf(into, 1000));
    }

    /** A light stream keeps to the first pages of the ring. If the peer doesn't know REWIND, the stream goes through the whole ring. */
    @ParameterizedTest
    @CsvSource({"64,true", "1000,true", "16384,true", "60000,true", "16384,false"})
    void aLightSenderBeginsAgain(int size, boolean rewinds) throws Exception {
        int window = 1 << 20;
        Ends d = new Ends(window, OVERFLOW, 8192, rewinds, () -> true);
        byte[] message = pattern(size, 0);
        byte[] into = new byte[size];
        int last = 0;
        for (int moved = 0; moved < 2 * window; moved += size) {
            assertEquals(size, d.sender.send(message, 0, size));
            for (int n = 0; n < size;) {
                n += d.receiver.receive(into, n, Math.min(size - n, 4096));
            }
            assertArrayEquals(message, into);
        }
        for (int page = 0; page < window; page += InboxLayout.PAGE) {
            byte[] bytes = new byte[InboxLayout.PAGE];
            d.receivers.get(InboxLayout.RING + page, bytes, 0, bytes.length);
            last = Arrays.equals(bytes, new byte[bytes.length]) ? last : page + InboxLayout.PAGE;
        }
        int most = rewinds ? RingSender.LAP + 2 * size + 4 * InboxLayout.PAGE : window;
        assertTrue(last <= most && (rewinds || last == window), last + " bytes were written to");
        assertTrue(d.sender.touched() <= most && d.sender.touched() >= last - 2 * InboxLayout.PAGE,
                d.sender.touched() + " of " + last);
    }

    /** The whole ring is drained, and a piece of half of it fits wherever the stream is: at the first line if not in front of the end. */
    @Test
    void aPieceOfHalfTheRingLiesInOnePiece() throws Exception {
        Ends d = new Ends(WINDOW, OVERFLOW, 1024, true, () -> false);
        Claim claim = new Claim();
        int length = WINDOW / 2 - 4 * InboxLayout.LINE;
        byte[] expected = pattern(length, 0);
        for (int i = 0; i < 1_000; i++) {
            assertTrue(d.sender.claim(claim, length, length), "round " + i);
            assertEquals(length, claim.length());
            claim.memory().put(claim.offset(), expected);
            d.sender.commit(length);
            assertEquals(length, d.receiver.peek(claim));
            byte[] seen = new byte[length];
            claim.memory().get(claim.offset(), seen);
            assertArrayEquals(expected, seen);
            d.receiver.release(length);
            d.sender.send(expected, 0, i % 300);
            d.receiver.receive(seen, 0, i % 300);
        }
    }

    /** As a send: a light stream begins again only if the whole write fits there, or its second part would find no room. */
    @Test
    void aLightStreamDoesNotBeginAgainForALongWriteInPieces() throws Exception {
        for (int most : new int[] {60_000, 1_000}) {
            Ends d = new Ends(16 * WINDOW, OVERFLOW, 8192, true, () -> true);
            byte[] lap = pattern(RingSender.LAP, 0);
            assertEquals(lap.length, d.sender.send(lap, 0, lap.length));
            assertEquals(lap.length, d.receiver.receive(new byte[lap.length], 0, lap.length));
            Claim claim = new Claim();
            assertTrue(d.sender.claim(claim, 8, most));
            assertEquals(most < lap.length, claim.offset() < InboxLayout.RING + lap.length, most + " bytes: " + claim.offset());
        }
    }
}
