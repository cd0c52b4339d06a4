package jfs.benchmarks.statistics;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GoalTest {
    @Test
    void goalsAreMetAtTheirLimitAndNeverByWhatWasNotMeasured() {
        assertTrue(Goal.atMost(3, "", 3).met());
        assertFalse(Goal.atMost(3, "", 3.01).met());
        assertTrue(Goal.atLeast(40, "", 40).met());
        assertFalse(Goal.atLeast(40, "", Double.NaN).met());
        assertTrue(Goal.overFloor(3, "", 0.95).met());
        assertFalse(Goal.overFloor(3, "", 0.3).met());
        assertTrue(Goal.noMoreProcessor(0.2, "", -0.1).met());
        assertFalse(Goal.noMoreProcessor(0.2, "", 0.21).met());
        assertTrue(Goal.noSlower("", new Statistics.Estimate(1.2, 0.99, 1.4, 0.95)).met());
        assertTrue(Goal.noSlower("", new Statistics.Estimate(1.05, 1.02, 1.09, 0.95)).met());
        assertFalse(Goal.noSlower("", new Statistics.Estimate(1.05, 1.02, 1.2, 0.95)).met());
    }
}
