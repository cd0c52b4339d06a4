package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Which way to wait is kept: the one in which more waits end in a given time. Only this test moves the clock. */
class PollTrialTest {

    private static final int MICROSECOND = 1_000;
    private static final int MILLISECOND = 1_000_000;

    private PollTrial trial = new PollTrial();
    private long now = Long.MAX_VALUE - MILLISECOND; // nanoTime may overflow

    PollTrialTest() {
        trial.ended(now);
    }

    private void ended(long after) {
        now += after;
        trial.ended(now);
    }

    /** Lets waits end, until the trial changes between polling and sleeping, or for so long. @return how long that took, nanoseconds */
    private long waits(boolean polls, long each, long longest) {
        assertEquals(polls, trial.polls());
        long start = now;
        while (trial.polls() == polls && now - start < longest) {
            ended(each);
        }
        return now - start;
    }

    private void triesSleeping(long each) {
        assertEquals(PollTrial.TRIED_NANOS, waits(false, each, Long.MAX_VALUE));
    }

    private void triesPolling(long each) {
        assertEquals(PollTrial.TRIED_NANOS, waits(true, each, PollTrial.TRIED_NANOS));
    }

    /** @return for how many milliseconds the waits sleep until the trial tries polling again, its try of sleeping included */
    private long sleeps(long each) {
        return waits(false, each, Long.MAX_VALUE) / MILLISECOND;
    }

    /** Sleeping and polling are tried in turns. @param sleeping nanoseconds from the end of a wait to the next while waits sleep */
    private void pollingWins(long sleeping, long polling) {
        for (int i = 0; i < PollTrial.WINS; i++) {
            triesSleeping(sleeping);
            triesPolling(polling);
        }
        assertTrue(trial.polls());
    }

    private static long milliseconds(int times) {
        return times * PollTrial.TRIED_NANOS / MILLISECOND;
    }

    @Test
    void pollingIsKeptWhereMoreGetsDoneSeveralTimesInARow() {
        pollingWins(40 * MICROSECOND, 20 * MICROSECOND);
        assertEquals(milliseconds(PollTrial.KEPT), waits(true, 20 * MICROSECOND, Long.MAX_VALUE) / MILLISECOND);
        pollingWins(40 * MICROSECOND, 20 * MICROSECOND);
    }

    @Test
    void whereItDoesNotWinEachTimeItIsNotKept() {
        triesSleeping(40 * MICROSECOND);
        triesPolling(20 * MICROSECOND);
        triesSleeping(40 * MICROSECOND);
        triesPolling(50 * MICROSECOND);
        assertEquals(milliseconds(PollTrial.KEPT + 1), sleeps(40 * MICROSECOND));
        pollsOnlyAfterAllWins();
    }

    private void pollsOnlyAfterAllWins() {
        triesPolling(20 * MICROSECOND);
        for (int i = 1; i < PollTrial.WINS; i++) {
            triesSleeping(40 * MICROSECOND);
            triesPolling(20 * MICROSECOND);
        }
        assertTrue(trial.polls());
        assertEquals(milliseconds(PollTrial.KEPT), waits(true, 20 * MICROSECOND, Long.MAX_VALUE) / MILLISECOND);
    }

    @Test
    void pollingThatIsAsGoodIsNotWorthItsCore() {
        triesSleeping(20 * MICROSECOND);
        triesPolling(20 * MICROSECOND);
        assertFalse(trial.polls());
    }

    @Test
    void whereItIsFavouredSleepingHasToWinSeveralTimesInARow() {
        trial = new PollTrial(true);
        ended(0);
        triesSleeping(20 * MICROSECOND);
        triesPolling(40 * MICROSECOND);
        triesSleeping(20 * MICROSECOND);
        triesPolling(20 * MICROSECOND);
        assertEquals(milliseconds(PollTrial.KEPT), waits(true, 20 * MICROSECOND, Long.MAX_VALUE) / MILLISECOND);
        for (int i = 0; i < PollTrial.WINS; i++) {
            triesSleeping(20 * MICROSECOND);
            triesPolling(40 * MICROSECOND);
        }
        assertFalse(trial.polls());
        assertEquals(milliseconds(PollTrial.KEPT + 1), sleeps(20 * MICROSECOND));
    }

    /** Each trial that polling loses costs something. */
    @Test
    void whereItNeverWinsItIsTriedLessAndLessOften() {
        int kept = PollTrial.KEPT;
        for (int i = 0; i < 6; i++) {
            if (i == 0) {
                triesSleeping(20 * MICROSECOND);
            } else {
                assertEquals(milliseconds(kept + 1), sleeps(20 * MICROSECOND));
                kept = Math.min(2 * kept, PollTrial.KEPT_LONGEST);
            }
            triesPolling(25 * MICROSECOND);
        }
        assertEquals(PollTrial.KEPT_LONGEST, kept);
    }

    @Test
    void afterItHasWonItIsTriedAsOftenAsAtFirst() {
        triesSleeping(20 * MICROSECOND);
        triesPolling(25 * MICROSECOND);
        sleeps(40 * MICROSECOND);
        pollsOnlyAfterAllWins();
        triesSleeping(20 * MICROSECOND);
        triesPolling(25 * MICROSECOND);
        assertEquals(milliseconds(PollTrial.KEPT + 1), sleeps(20 * MICROSECOND));
    }

    @Test
    void pollingThatGetsSlowerThanSleepingWasIsGivenUpEarly() {
        pollingWins(40 * MICROSECOND, 20 * MICROSECOND);
        assertEquals(milliseconds(PollTrial.SLOWER), waits(true, 50 * MICROSECOND, Long.MAX_VALUE) / MILLISECOND);
    }

    @Test
    void aFewWaitsDecideNothing() {
        assertEquals(PollTrial.TRIED * 3 * MILLISECOND, waits(false, 3 * MILLISECOND, Long.MAX_VALUE));
    }

    /** A thread that polls answers sooner, but the threads that it has kept from its core take longer then. */
    @Test
    void theTimeBetweenTwoWaitsCounts() {
        triesSleeping(40 * MICROSECOND);
        for (int i = 0; trial.polls(); i++) {
            assertTrue(i < PollTrial.TRIED_NANOS / MICROSECOND);
            ended(i % 10 == 0 ? 300 * MICROSECOND : 20 * MICROSECOND);
        }
        assertTrue(sleeps(40 * MICROSECOND) > milliseconds(PollTrial.KEPT), "polling has lost");
    }

    /** A thread may lose its core between the end of its wait and the count. */
    @Test
    void waitsThatAreCountedLateCountNoTimeTwice() {
        long start = now;
        while (!trial.polls()) {
            ended(20 * MICROSECOND);
            trial.ended(now - 15 * MICROSECOND);
        }
        assertEquals(PollTrial.TRIED_NANOS, now - start);
    }

    @Test
    void aPauseOfTheProgramCountsAsATimeSlice() {
        waits(false, 40 * MICROSECOND, PollTrial.TRIED_NANOS / 2);
        ended(1_000L * MILLISECOND);
        assertEquals(PollTrial.TRIED_NANOS / 2 - PollTrial.LONGEST_NANOS, waits(false, 40 * MICROSECOND, Long.MAX_VALUE));
    }
}
