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
        int napped = naps(new Naps(), 1_000, false);
        assertTrue(napped > 0 && napped <= 20, napped + " of 1000 waits");
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
        assertTrue(napped >= 900, napped + " of 1000 waits");
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
