package jfs.benchmarks.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import jfs.benchmarks.processes.ChildFailure;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Turns<String> turns = new Turns<>();

    /** Runs a fork in which each side's measurements give its values one after the other. */
    private void fork(double[] floor, double[] jfs) throws Exception {
        int[] next = new int[2];
        turns.fork(floor.length, Map.of("floor", () -> floor[next[0]++], "jfs", () -> jfs[next[1]++]));
    }

    @Test
    void eachTurnIsComparedInItself() throws Exception {
        fork(new double[] {1, 6, 1}, new double[] {2, 12, 9}); // turn 2: the cores of both are far apart; turn 3: other load
        assertEquals(2, turns.ratio("jfs", "floor").median(), 1e-9, "the median of 2, 2, 9; that of the medians would be 9");
        assertEquals(9, turns.median("jfs"), 1e-9);
    }

    @Test
    void aForkCountsOnceHoweverManyTurnsItHas() throws Exception {
        fork(new double[] {1, 1, 1, 1, 1}, new double[] {3, 3, 3, 3, 3});
        fork(new double[] {1}, new double[] {5});
        fork(new double[] {1}, new double[] {7});
        assertEquals(5, turns.ratio("jfs", "floor").median(), 1e-9);
        assertEquals(5, turns.median("jfs"), 1e-9);
    }

    @Test
    void differencesAreTakenTurnByTurnToo() throws Exception {
        fork(new double[] {1, 6, 1}, new double[] {2, 12, 9});
        assertEquals(6, turns.difference("jfs", "floor").median(), 1e-9, "the median of 1, 6, 8");
    }

    @Test
    void oneForkHasTheIntervalOfItsTurns() throws Exception {
        fork(new double[] {1, 1, 1}, new double[] {2, 3, 5});
        Statistics.Estimate ratio = turns.ratioOfTurns("jfs", "floor");
        assertEquals(List.of(3.0, 2.0, 5.0), List.of(ratio.median(), ratio.low(), ratio.high()));
        assertEquals(3, turns.ratio("jfs", "floor").low(), 1e-9);
    }

    @Test
    void sixTurnsAreAllTheOrdersOfThree() throws Exception {
        List<String> order = new ArrayList<>();
        Map<String, Turns.Measurement> all = new LinkedHashMap<>();
        for (String who : List.of("a", "b", "c")) {
            all.put(who, () -> {
                order.add(who);
                return 1;
            });
        }
        turns.fork(3, all);
        turns.fork(3, all);
        assertEquals("abc cba bca acb cab bac".replace(" ", ""), String.join("", order), "the second fork goes on where the first ended");
    }

    @Test
    void ofTwoEachComesFirstOnceInTwoTurns() {
        List<String> first = IntStream.range(0, 6).mapToObj(turn -> Turns.order(List.of("a", "b"), turn).get(0)).toList();
        assertEquals(List.of("a", "b", "b", "a", "a", "b"), first);
    }

    @Test
    void aForkThatWasNotFinishedCountsForNobody() throws Exception {
        fork(new double[] {1}, new double[] {2});
        assertThrows(ChildFailure.class, () -> turns.fork(1, Map.of("floor", () -> 1, "jfs", () -> {
            throw new ChildFailure("ended");
        })));
        assertEquals(2, turns.ratio("jfs", "floor").median(), 1e-9);
    }
}
