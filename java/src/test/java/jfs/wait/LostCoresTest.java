package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** For how long the cores are left to other programs after a core was lost. Only this test moves the clock. */
class LostCoresTest {

    private static final long LOST = 3_000_000;

    private long now = -7;
    private final Cores clock = new Cores(2) {
        @Override
        long nanoTime() {
            return now;
        }
    };
    private final LostCores lostCores = new LostCores();

    private void lose(long nanos) {
        long since = now;
        now += nanos;
        lostCores.lost(since, nanos);
    }

    /** @return how long the rest lasts from now on, as a multiple of the time that was lost */
    private long leftToOthers() {
        long start = now;
        while (lostCores.inForce(clock)) {
            now += LOST;
        }
        return (now - start) / LOST;
    }

    @Test
    void noLossMeansNothing() {
        assertFalse(lostCores.inForce(clock));
    }

    @Test
    void aLossThatComesAloneIsSoonForgotten() {
        for (int i = 0; i < 10; i++) {
            lose(LOST);
            assertEquals(2, leftToOthers());
            now += 20 * LOST;
        }
    }

    @Test
    void eachOneThatComesSoonAfterTheLastCountsTwice() {
        long longest = 0;
        for (long expected = 2; expected <= 32; expected *= 2) {
            lose(LOST);
            longest = leftToOthers();
            assertEquals(expected, longest);
            now += 3 * LOST;
        }
        lose(LOST);
        assertEquals(longest, leftToOthers(), "the cores are tried again");
        now += 20 * LOST;
        lose(LOST);
        assertEquals(2, leftToOthers());
    }

    @Test
    void severalThreadsThatLoseTheirCoresAtOnceHaveLostOne() {
        lose(LOST);
        lostCores.lost(now - LOST, LOST);
        lostCores.lost(now - LOST / 2, LOST);
        assertEquals(2, leftToOthers());
    }

    @Test
    void aMachineThatStoodStillSaysNothing() {
        lose(30_000_000);
        assertFalse(lostCores.inForce(clock));
        lose(LOST);
        assertTrue(lostCores.inForce(clock));
    }
}
