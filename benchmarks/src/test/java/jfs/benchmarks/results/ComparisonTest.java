package jfs.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import jfs.benchmarks.statistics.Goal;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final List<Comparison.Round> ROUNDS = List.of(
            new Comparison.Round(Map.of(1, 10e-6, 3, 10e-6, 1024, 20e-6), Map.of(1, 0.1e-6, 3, 0.1e-6, 1024, 1e-6), Map.of(1, 0.05e-6)),
            new Comparison.Round(Map.of(1, 40e-6, 3, 40e-6), Map.of(1, 0.8e-6, 3, 0.8e-6, 1024, 5e-6), Map.of(1, 0.2e-6)),
            new Comparison.Round(Map.of(1, 20e-6, 3, 20e-6, 1024, 30e-6), Map.of(1, 0.1e-6, 3, 0.1e-6, 1024, 3e-6), Map.of(1, 0.05e-6)));

    @Test
    void ratiosArePairedWithinTheirRound() {
        Comparison.Row row = new Comparison(ROUNDS).row(1).orElseThrow();
        assertEquals(20e-6, row.jdk(), 1e-15);
        assertEquals(0.1e-6, row.jfs(), 1e-15);
        assertEquals(100, row.gain(), 1e-9, "the median of 100, 50, 200; that of the medians would be 200");
        assertEquals(2, row.toFloor(), 1e-9);
        assertEquals(10, row.jfsMegabytes(), 1e-9);
    }

    @Test
    void aRoundThatLacksASizeOnOneSideIsLeftOutThere() {
        Comparison.Row row = new Comparison(ROUNDS).row(1024).orElseThrow();
        assertEquals(2e-6, row.jfs(), 1e-15);
        assertEquals(15, row.gain(), 1e-9);
        assertTrue(Double.isNaN(row.floor()));
    }

    @Test
    void theTableHasPowersOfTwoOnlyAndAlignsThem() {
        String[] lines = new Comparison(ROUNDS).table().toString().split("\n");
        assertEquals(3, lines.length);
        assertEquals("bytes  JDK us  JFS us  ratio  JDK MB/s  JFS MB/s  floor us", lines[0]);
        assertEquals("    1    20.0   0.100    100    0.0500      10.0    0.0500", lines[1]);
        assertEquals(" 1024    25.0    2.00   15.0      41.0       512", lines[2]);
    }

    @Test
    void filesHoldEverySizeAndNoNaN() {
        Comparison comparison = new Comparison(ROUNDS);
        String csv = Results.csv(comparison);
        assertEquals(4, csv.lines().count());
        assertTrue(csv.lines().anyMatch(line -> line.startsWith("3,2.0E-5,1.0E-7,")), csv);
        String json = Results.json(ROUNDS, comparison, List.of(Goal.atMost(3, "a \"goal\"", Double.NaN)), 3);
        assertTrue(json.contains("{\"what\": \"a \\\"goal\\\"\", \"measured\": null, \"goal\": \"<= 3 x\", \"met\": false}"), json);
        assertFalse(json.contains("NaN"), json);
        assertFalse(csv.contains("NaN"), csv);
    }
}
