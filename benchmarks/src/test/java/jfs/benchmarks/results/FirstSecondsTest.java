package jfs.benchmarks.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.statistics.Goal;
import org.junit.jupiter.api.Test;

class FirstSecondsTest {
    /** A curve with looks each tenth of a second. @param first round trips a second in the first second @param later the same later */
    private static Curve curve(double seconds, double first, double later) {
        List<Curve.Look> looks = new ArrayList<>();
        for (int tenth = 1; tenth <= Math.round(seconds * 10); tenth++) {
            double at = tenth / 10.0;
            looks.add(new Curve.Look(at, Math.min(at, 1) * first + Math.max(0, at - 1) * later));
        }
        return new Curve(looks);
    }

    private static FirstSeconds measured(double seconds, double... jfsFirst) {
        FirstSeconds measured = new FirstSeconds(seconds);
        for (double first : jfsFirst) {
            measured.add(1, Side.JDK, new FirstSeconds.Run(curve(seconds, 10_000, 20_000), 0.5));
            measured.add(1, Side.JFS, new FirstSeconds.Run(curve(seconds, first, 80_000), 0.5));
        }
        return measured;
    }

    private static String cells(Table table, int row) {
        return table.toString().lines().skip(row).findFirst().orElseThrow().strip().replaceAll(" +", " ");
    }

    @Test
    void aLateLookCountsAsOfWhenItWas() {
        Curve curve = Curve.parse("100000000=1000 250000000=4000 300000000=4500");
        assertEquals(500, curve.at(0.05), 1e-6);
        assertEquals(1000, curve.at(0.1), 1e-6);
        assertEquals(3000, curve.at(0.2), 1e-6);
        assertEquals(4500, curve.at(0.3), 1e-6);
        assertEquals(20_000, curve.rate(0.1, 0.2), 1e-6);
    }

    @Test
    void theCurveHasTenthsOfTheFirstSecondAndHalvesThen() {
        Table table = measured(3, 40_000, 90_000, 100_000).curves();
        assertEquals("until s 1 pair: JDK JFS to JDK", cells(table, 0));
        List<String> ends = table.toString().lines().skip(1).map(line -> line.strip().split(" ")[0]).toList();
        assertEquals(
                List.of("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.5", "2", "2.5", "3"), ends);
        assertEquals("0.1 10.0 90.0 9.00", cells(table, 1), "the median fork");
        assertEquals("3 20.0 80.0 4.00", cells(table, 14));
    }

    @Test
    void theLastStepMayBeShorter() {
        List<String> lines = measured(1.25, 40_000).curves().toString().lines().toList();
        assertTrue(lines.get(lines.size() - 1).startsWith("   1.25 "), lines::toString);
        assertEquals(13, measured(1.25, 40_000).plot(1).medians("JFS").size());
    }

    @Test
    void sumsAreOfTheFirstSecondAndOfAllOfThem() {
        FirstSeconds measured = measured(3, 40_000, 90_000, 100_000);
        assertEquals("1 JDK 10.0 50.0 10.0", cells(measured.sums(), 1));
        assertEquals("1 JFS 90.0 9.00 4.00..10.0 250 5.00 4.00..5.20 2.00 0.200 0.192..0.250", cells(measured.sums(), 2));
        assertTrue(cells(measured.sums(), 0).startsWith("pairs 1 s: 1000 to JDK interval 3 s: 1000 "), measured.sums()::toString);
    }

    @Test
    void theGoalOfTheFirstSecondIsForOnePairOnAQuietMachine() {
        FirstSeconds measured = measured(3, 75_000);
        measured.add(8, Side.JDK, new FirstSeconds.Run(curve(3, 10_000, 20_000), 0.5));
        measured.add(8, Side.JFS, new FirstSeconds.Run(curve(3, 9_000, 19_000), 0.5));
        List<Goal> goals = measured.goals(true);
        assertEquals(List.of(false, true, false), goals.stream().map(Goal::met).toList(), "7.5, 4.7 and 0.94 x");
        assertEquals(">= 8 x", goals.get(0).bound());
        assertEquals(goals.subList(1, 3), measured.goals(false));
        assertEquals(1, measured(0.5, 75_000).goals(true).size(), "there was no whole second");
    }
}
