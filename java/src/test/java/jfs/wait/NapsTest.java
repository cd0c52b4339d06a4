package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** NAP-1: a thread naps only while naps gather news. */
class NapsTest {

    private static int naps(Naps naps, int waits, boolean several) {
        int napped = 0;
        for (int i = 0; i < waits; i++) {
            if (naps.pay()) {
                napped++;
                naps.ended(several);
            }
        }
        return napped;
    }

    @Test
    void aConversationSoonSleeps() {
        Naps naps = new Naps();
        int napped = naps(naps, 1_000, false);
        assertTrue(napped > 1 && napped <= 6, napped + " of 1000 waits");
        assertTrue(naps(naps, 100_000, false) <= 200, "the longer it lasts, the fewer naps");
        assertTrue(naps(naps, 10_000, false) > 1, "but it tries again");
    }

    @Test
    void messagesInARowAreGathered() {
        assertEquals(1_000, naps(new Naps(), 1_000, true));
    }

    @Test
    void aConversationThatBecomesAStreamIsGatheredAgain() {
        Naps naps = new Naps();
        naps(naps, 1_000, false);
        int napped = naps(naps, 1_000, true);
        assertTrue(napped >= 400, napped + " of 1000 waits");
        assertFalse(naps(naps, 100, false) > 10, "and a stream that becomes a conversation sleeps again");
    }

    @Test
    void aNapEndsByItself() {
        new Naps().nap();
        Thread.currentThread().interrupt();
        new Naps().nap();
        assertTrue(Thread.interrupted(), "an interrupt is kept");
    }
}
