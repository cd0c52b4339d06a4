package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When a failed offer is made again. The test has a clock of its own. */
class BackOffTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - SECOND / 2); // nanoTime may overflow

    private void isDueAfter(BackOff backOff, long nanos) {
        assertFalse(backOff.isDue());
        now.addAndGet(nanos - 1);
        assertFalse(backOff.isDue());
        now.addAndGet(1);
        assertTrue(backOff.isDue());
        assertTrue(backOff.isDue(), "until it has begun");
        backOff.begun();
        assertFalse(backOff.isDue());
    }

    @Test
    void itIsDueLaterAndLaterUpToABound() {
        BackOff backOff = new BackOff(now::get, () -> 0);
        assertFalse(backOff.isDue(), "nothing has failed");
        for (long nanos = SECOND / 20; nanos < 300 * SECOND; nanos *= 2) {
            backOff.failed(true);
            isDueAfter(backOff, nanos);
        }
        for (int bounded = 0; bounded < 2; bounded++) {
            backOff.failed(true);
            isDueAfter(backOff, 300 * SECOND);
        }
    }

    @Test
    void anOfferThatFailsForAnotherReasonWaitsForASecond() {
        BackOff backOff = new BackOff(now::get, () -> 0);
        backOff.failed(false);
        isDueAfter(backOff, SECOND);
        backOff.failed(true);
        isDueAfter(backOff, 2 * SECOND);
        backOff.failed(false);
        isDueAfter(backOff, 4 * SECOND);
    }

    @Test
    void aRandomPartOfUpToHalfIsAdded() {
        BackOff backOff = new BackOff(now::get, () -> 0.5);
        backOff.failed(true);
        isDueAfter(backOff, SECOND / 16);
        backOff.failed(true);
        isDueAfter(backOff, SECOND / 8);
    }

    @Test
    void itIsNotDueWhileItIsUnderWay() {
        BackOff backOff = new BackOff(now::get, () -> 0);
        backOff.failed(true);
        backOff.begun();
        now.addAndGet(1000 * SECOND);
        assertFalse(backOff.isDue());
    }
}
