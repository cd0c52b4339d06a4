package jfs.negotiation.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import jfs.negotiation.policy.Refusal;
import jfs.stat.Reason;
import org.junit.jupiter.api.Test;

/** How long a failure is remembered. The test sets the time. */
class RecentFailuresTest {

    private static final Refusal NO_PEER = new Refusal(Reason.NO_PEER, null);
    private static final Refusal NO_ANSWER = new Refusal(Reason.NO_ANSWER, null);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // nanoTime may overflow
    private final RecentFailures failures = new RecentFailures(now::get);

    /** @return for how long a failure is remembered from now on */
    private long remembered(String whom) {
        long begin = now.get();
        while (failures.of(whom) != null) {
            now.addAndGet(1);
        }
        return now.get() - begin;
    }

    @Test
    void aFailureIsRememberedForItsTime() {
        assertNull(failures.of("a"));
        failures.remember("a", NO_ANSWER, 10);
        assertEquals(NO_ANSWER, failures.of("a"));
        assertNull(failures.of("b"));
        assertEquals(10, remembered("a"));
    }

    @Test
    void whatIsFoundAgainAndAgainIsRememberedLongerUpToABound() {
        for (long nanos : new long[] {10, 20, 40, 50, 50}) {
            failures.rememberWithBackoff("a", NO_PEER, 10, 50);
            assertEquals(nanos, remembered("a"));
        }
    }

    /** As many connections to one host find it together. One outage is one failure. */
    @Test
    void whatIsFoundTogetherCountsOnce() {
        for (int i = 0; i < 5; i++) {
            failures.rememberWithBackoff("a", NO_PEER, 10, 50);
            now.addAndGet(1);
        }
        assertEquals(5, remembered("a"));
        failures.rememberWithBackoff("a", NO_PEER, 10, 50);
        assertEquals(20, remembered("a"));
    }

    @Test
    void whatWasFoundLongAgoDoesNotCount() {
        failures.rememberWithBackoff("a", NO_PEER, 10, 50);
        now.addAndGet(10 + 49);
        failures.rememberWithBackoff("a", NO_PEER, 10, 50);
        assertEquals(20, remembered("a"));
        now.addAndGet(50);
        failures.rememberWithBackoff("a", NO_PEER, 10, 50);
        assertEquals(10, remembered("a"));
    }

    @Test
    void theLongestTimeMayBeAnyNumber() {
        failures.remember("a", NO_PEER, Long.MAX_VALUE / 4 * 3);
        now.addAndGet(Long.MAX_VALUE / 4 * 3);
        failures.rememberWithBackoff("a", NO_PEER, 10, Long.MAX_VALUE);
        now.addAndGet(Long.MAX_VALUE - 1);
        assertEquals(NO_PEER, failures.of("a"));
        now.addAndGet(1);
        assertNull(failures.of("a"));
    }

    @Test
    void anAnswerOrAnotherReasonBeginsAnew() {
        failures.rememberWithBackoff("a", NO_PEER, 10, 50);
        failures.forget("a");
        assertNull(failures.of("a"));
        failures.rememberWithBackoff("a", NO_PEER, 10, 50);
        assertEquals(10, remembered("a"));
        failures.remember("a", NO_ANSWER, 5);
        failures.rememberWithBackoff("a", NO_PEER, 10, 50);
        assertEquals(10, remembered("a"));
    }

    @Test
    void thereIsABoundToTheirNumber() {
        for (int i = 0; i < 5_000; i++) {
            failures.remember("long " + i, NO_PEER, TimeUnit.SECONDS.toNanos(1));
        }
        failures.remember("new", NO_PEER, 10);
        assertNull(failures.of("new"), "there is no room");
        failures.remember("long 0", NO_ANSWER, TimeUnit.SECONDS.toNanos(1));
        assertEquals(NO_ANSWER, failures.of("long 0"), "one that is known needs no room");
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        failures.remember("new", NO_PEER, 10);
        assertEquals(NO_PEER, failures.of("new"));
    }
}
