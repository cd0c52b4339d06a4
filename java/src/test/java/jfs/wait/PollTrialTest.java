package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Which way to wait is kept, by how long the waits of each have taken. The time is the test's own. */
class PollTrialTest {

    private static final int MILLISECOND = 1_000_000;

    private final PollTrial trial = new PollTrial();
    private long now = Long.MAX_VALUE - MILLISECOND; // nanoTime may overflow

    private void waitOf(boolean polls, long nanos) {
        long began = now;
        now += nanos;
        trial.ended(polls, began, now);
    }

    /** @return how many waits, one after the other, went the way of the first one before the other way was tried */
    private int waitsUntilTheOtherWay(long nanos) {
        boolean polls = trial.polls();
        int waits = 0;
        while (trial.polls() == polls) {
            waitOf(polls, nanos);
            waits++;
        }
        return waits;
    }

    private void waits(boolean polls, int times, long nanos) {
        for (int i = 0; i < times; i++) {
            assertEquals(polls, trial.polls());
            waitOf(polls, nanos);
        }
    }

    private void tries(long polling, long sleeping) {
        assertEquals(Math.max(PollTrial.TRIED, PollTrial.TRIED_NANOS / polling), waitsUntilTheOtherWay(polling));
        waits(false, (int) Math.max(PollTrial.TRIED, PollTrial.TRIED_NANOS / sleeping), sleeping);
    }

    private void keeps(boolean polls) {
        waits(polls, (int) (PollTrial.KEPT * PollTrial.TRIED_NANOS / 20_000), 20_000);
        assertTrue(trial.polls(), "tried again");
    }

    @Test
    void bothAreTriedAndTheQuickerOneIsKept() {
        tries(20_000, 40_000);
        keeps(true);
        tries(40_000, 20_000);
        keeps(false);
        tries(20_000, 40_000);
        keeps(true);
    }

    @Test
    void pollingThatTakesAsLongIsNotWorthItsCore() {
        tries(20_000, 20_000);
        keeps(false);
    }

    @Test
    void aFewWaitsDecideNothing() {
        assertEquals(PollTrial.TRIED, waitsUntilTheOtherWay(3 * MILLISECOND));
    }

    /** A program that computes takes the core for a time slice, once in all the polls of a trial. */
    @Test
    void aSliceThatIsLostOnceCounts() {
        waits(true, 100, 20_000);
        waitOf(true, 4 * MILLISECOND);
        assertEquals(PollTrial.TRIED_NANOS / 20_000 - 300, waitsUntilTheOtherWay(20_000));
        waits(false, (int) (PollTrial.TRIED_NANOS / 24_000) + 1, 24_000);
        assertFalse(trial.polls(), "with the slice polling has taken more time");
    }

    @Test
    void aWaitThatBeganLongBeforeDoesNotShortenATrial() {
        waitOf(true, 1_000L * MILLISECOND);
        waits(true, 2 * PollTrial.TRIED, 20_000);
        assertTrue(trial.polls());
    }

    @Test
    void anAnswerThatTakesThePeerLongCountsAsASlice() {
        waits(true, 999, 20_000);
        waitOf(true, 1_000L * MILLISECOND);
        assertFalse(trial.polls());
        waits(false, (int) (PollTrial.TRIED_NANOS / 40_000), 40_000);
        keeps(true);
    }

    @Test
    void whatGetsSlowerIsTriedAgainEarly() {
        tries(25_000, 20_000);
        waits(false, (int) (PollTrial.TRIED_NANOS / 40_000), 40_000);
        waits(false, (int) (PollTrial.TRIED_NANOS / 20_000), 20_000);
        waits(false, (int) (PollTrial.SLOWER * PollTrial.TRIED_NANOS / 40_000), 40_000);
        tries(25_000, 40_000);
        waits(true, (int) (PollTrial.SLOWER * PollTrial.TRIED_NANOS / 100_000), 100_000);
        tries(100_000, 20_000);
        keeps(false);
    }

    @Test
    void aWaitThatBeganInAnotherPhaseDoesNotCount() {
        tries(20_000, 40_000);
        waitOf(false, 1_000L * MILLISECOND);
        keeps(true);
    }
}
