package jfs.benchmarks.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void medianOfOddAndEvenCounts() {
        assertEquals(3, Statistics.median(9, 3, 1));
        assertEquals(2.5, Statistics.median(4, 2, 3, 1));
        assertThrows(IllegalArgumentException.class, Statistics::median);
    }

    @Test
    void elevenValuesGiveTheSecondFromEachEnd() {
        // The textbook interval for n = 11: ranks 2 and 10 with 98.83 %, since ranks 3 and 9 have only 93.46 %.
        Statistics.Estimate estimate = Statistics.estimate(new double[] {11, 1, 10, 2, 9, 3, 8, 4, 7, 5, 6}, 0.95);
        assertEquals(6, estimate.median());
        assertEquals(2, estimate.low());
        assertEquals(10, estimate.high());
        assertEquals(0.98828, estimate.coverage(), 1e-5);
    }

    @Test
    void tooFewValuesGiveAllOfThemAndTheirCoverage() {
        Statistics.Estimate estimate = Statistics.estimate(new double[] {1, 2, 3}, 0.95);
        assertEquals(1, estimate.low());
        assertEquals(3, estimate.high());
        assertEquals(0.75, estimate.coverage(), 1e-12);
    }

    @Test
    void manyValuesComeCloseToTheNormalApproximation() {
        double[] values = new double[101];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        Statistics.Estimate estimate = Statistics.estimate(values, 0.95);
        assertEquals(50, estimate.median());
        assertEquals(50 - 1.96 * Math.sqrt(101) / 2, estimate.low(), 1.5);
        assertEquals(100, estimate.low() + estimate.high());
    }
}
