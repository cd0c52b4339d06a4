package jfs.nio;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NIO-5: the connections of channels get no path in the first seconds in which a process talks. */
class WarmUpTest {

    private long now;

    /** @param start also so that the clock passes the greatest number meanwhile, and 0 */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 123_456_789_012L})
    void itIsOverFourSecondsAfterTheFirstQuestion(long start) {
        WarmUp warmUp = new WarmUp(() -> now);
        now = start;
        assertFalse(warmUp.isOver(true));
        now = start + WarmUp.NANOS - 1;
        assertFalse(warmUp.isOver(true));
        now = start + WarmUp.NANOS;
        assertTrue(warmUp.isOver(true));
    }

    /** Otherwise an offer between two ends of one process may come before offers can find the accepted end. */
    @Test
    void theAcceptedEndCanBeFoundBeforeTheOtherEndOffers() {
        WarmUp warmUp = new WarmUp(() -> now);
        assertFalse(warmUp.isOver(false));
        now = WarmUp.NANOS;
        assertTrue(warmUp.isOver(true));
        now = WarmUp.NANOS + WarmUp.LATER_NANOS - 1;
        assertFalse(warmUp.isOver(false));
        now = WarmUp.NANOS + WarmUp.LATER_NANOS;
        assertTrue(warmUp.isOver(false));
    }

    @Test
    void onceItIsOverTheClockIsNotAsked() {
        WarmUp warmUp = new WarmUp(() -> now);
        warmUp.isOver(true);
        now = WarmUp.NANOS + WarmUp.LATER_NANOS;
        assertTrue(warmUp.isOver(true));
        now = 0;
        assertTrue(warmUp.isOver(true));
        assertTrue(warmUp.isOver(false));
    }
}
