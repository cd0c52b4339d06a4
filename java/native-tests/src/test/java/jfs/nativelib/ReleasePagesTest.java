package jfs.nativelib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import jfs.testing.Natives;
import org.junit.jupiter.api.Test;

/** Drained memory of a segment goes back to the kernel. */
class ReleasePagesTest {

    /** A multiple of the page size of any kernel. */
    private static final int PAGES = 64 << 10;

    /** This holds whatever the size of the kernel's pages. */
    @Test
    void noByteOutsideTheDrainedPieceIsGivenBack() {
        Natives.load();
        long[] out = new long[3];
        assertEquals(Sisci.OK, Sisci.createSegment(new Random().nextInt() >>> 4, 3 * PAGES, 0, out));
        long segment = out[0];
        ByteBuffer memory = Sisci.mapLocal(segment, 3 * PAGES, out);
        try {
            for (int[] piece : new int[][] {{1, 3 * PAGES - 2}, {PAGES, PAGES - 1}, {PAGES + 1, PAGES}, {PAGES, 1}, {5, 7},
                    {PAGES, PAGES}}) {
                byte[] before = new byte[3 * PAGES];
                Arrays.fill(before, (byte) 1);
                memory.put(0, before);
                assertEquals(0, Posix.releasePages(memory, piece[0], piece[1]), () -> Arrays.toString(piece));
                for (int i = 0; i < 3 * PAGES; i++) {
                    boolean drained = i >= piece[0] && i < piece[0] + piece[1];
                    assertTrue(drained || memory.get(i) == 1, () -> Arrays.toString(piece));
                }
            }
            assertEquals(0, memory.get(PAGES));
            assertEquals(0, memory.get(2 * PAGES - 1));
        } finally {
            Sisci.unmap(out[0]);
            Sisci.removeSegment(segment);
        }
    }
}
