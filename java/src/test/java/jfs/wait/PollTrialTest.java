package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Which way to wait is kept, by how long the waits of each have taken. */
class PollTrialTest {

    private final PollTrial trial = new PollTrial();

    /** @return how many of so many waits polled */
    private int polls(int waits, long polling, long sleeping) {
        int polls = 0;
        for (int i = 0; i < waits; i++) {
            polls += trial.polls() ? 1 : 0;
            trial.ended(trial.polls() ? polling : sleeping);
        }
        return polls;
    }

    private int pollsInATrial(long polling, long sleeping) {
        return polls(2 * PollTrial.TRIED, polling, sleeping);
    }

    private int pollsAfterwards() {
        return polls(PollTrial.KEPT, 0, 0);
    }

    @Test
    void bothAreTriedAndTheQuickerOneIsKept() {
        assertEquals(PollTrial.TRIED, pollsInATrial(20_000, 30_000));
        assertEquals(PollTrial.KEPT, pollsAfterwards());
        assertEquals(PollTrial.TRIED, pollsInATrial(40_000, 30_000), "and tried again");
        assertEquals(0, pollsAfterwards());
        assertEquals(PollTrial.TRIED, pollsInATrial(20_000, 30_000));
        assertEquals(PollTrial.KEPT, pollsAfterwards());
    }

    @Test
    void pollingThatTakesAsLongIsNotWorthItsCore() {
        pollsInATrial(29_000, 30_000);
        assertEquals(0, pollsAfterwards());
    }

    @Test
    void anAnswerThatTakesThePeerLongDecidesNothing() {
        polls(PollTrial.TRIED - 1, 20_000, 0);
        trial.ended(1_000L * PollTrial.LONGEST_NANOS);
        polls(PollTrial.TRIED, 0, 60_000);
        assertEquals(PollTrial.KEPT, pollsAfterwards());
    }
}
