package jfs.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Programs that are measured in turns of a fraction of a second. Virtual cores change place under running programs, and what goes
 * from one to the other takes six times as long between those that are far apart; neighbours come and go. So each turn is compared
 * in itself, a fork's figure is the median of its turns, and forks are compared as in {@link Measurements}.
 *
 * @param <W> who takes turns
 */
final class Turns<W> {
    private final Map<W, List<double[]>> forks = new HashMap<>();

    /** Measures once. */
    interface Measurement {
        double seconds() throws ChildFailure, InterruptedException;
    }

    /** All take so many turns; every other one begins at the other end, so that a drift within it favours none. */
    void fork(int turns, Map<W, Measurement> all) throws ChildFailure, InterruptedException {
        List<W> order = new ArrayList<>(all.keySet());
        Map<W, double[]> measured = new HashMap<>();
        order.forEach(who -> measured.put(who, new double[turns]));
        for (int turn = 0; turn < turns; turn++) {
            for (W who : order) {
                measured.get(who)[turn] = all.get(who).seconds();
            }
            Collections.reverse(order);
        }
        add(measured);
    }

    /** What all have measured in their turns of one fork. */
    void add(Map<W, double[]> measured) {
        measured.forEach((who, values) -> forks.computeIfAbsent(who, none -> new ArrayList<>()).add(values));
    }

    /** In seconds. */
    double median(W who) {
        return Statistics.median(forks.get(who).stream().mapToDouble(Statistics::median).toArray());
    }

    /** What {@code above} takes when {@code below} takes 1. */
    Statistics.Estimate ratio(W above, W below) {
        double[] ratios = new double[forks.get(above).size()];
        for (int fork = 0; fork < ratios.length; fork++) {
            ratios[fork] = Statistics.median(ratios(forks.get(above).get(fork), forks.get(below).get(fork)));
        }
        return Statistics.estimate(ratios, Measurements.COVERAGE);
    }

    private static double[] ratios(double[] above, double[] below) {
        double[] ratios = new double[above.length];
        for (int turn = 0; turn < ratios.length; turn++) {
            ratios[turn] = above[turn] / below[turn];
        }
        return ratios;
    }

    /** @param legend of the table that it stands below, in brackets */
    static String legend(int forks, int turns) {
        return String.format("(medians of %d forks; a fork's figures are the medians of its %d turns)", forks, turns);
    }
}
