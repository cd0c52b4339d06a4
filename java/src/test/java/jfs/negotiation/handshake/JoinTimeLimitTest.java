package jfs.negotiation.handshake;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which parties have made the event loop's thread wait for too long (NEG-5). */
class JoinTimeLimitTest {

    private static final long PARTY = 7;

    private long now = TimeUnit.DAYS.toNanos(1);
    private final JoinTimeLimit patience = new JoinTimeLimit(() -> now);

    private void waited(int joins, long millis) {
        for (int i = 0; i < joins; i++) {
            patience.joined(PARTY, TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    @Test
    void aPartyWhoseJoinsTakeHalfASecondIsNotServedForAWhile() {
        waited(4, 500);
        assertFalse(patience.isExceededBy(PARTY));
        waited(1, 500);
        assertTrue(patience.isExceededBy(PARTY));
        assertFalse(patience.isExceededBy(PARTY + 1));
        now += TimeUnit.SECONDS.toNanos(15);
        assertFalse(patience.isExceededBy(PARTY), "not served for ever");
    }

    /** The time of a join is measured around the library's call, whose deadline is a whole millisecond. */
    @Test
    void fiveJoinsThatEndAMillisecondEarlyAreEnough() {
        waited(4, 500);
        waited(1, 499);
        assertTrue(patience.isExceededBy(PARTY));
    }

    /** A server with 500 busy threads on two cores took 4.6 s for its first join. Its only client was turned away for 15 s. */
    @Test
    void oneJoinThatTookLongerThanAPeerCanMakeItIsNotThePeersFault() {
        waited(1, 4_600);
        assertFalse(patience.isExceededBy(PARTY));
    }

    @Test
    void aPartyWithAFewSlowJoinsIsServed() {
        for (int i = 0; i < 100; i++) {
            waited(1, 500);
            assertFalse(patience.isExceededBy(PARTY));
            waited(3, 100);
        }
    }

    @Test
    void manyFastJoinsBeforeASlowOneDoNotHideThoseThatFollow() {
        waited(10_000, 1);
        waited(5, 500);
        assertTrue(patience.isExceededBy(PARTY));
    }
}
