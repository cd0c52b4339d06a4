package jfs.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;

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

    /** All take so many turns, in the order of {@link #order}. */
    void fork(int turns, Map<W, Measurement> all) throws ChildFailure, InterruptedException {
        Map<W, double[]> measured = new HashMap<>();
        int before = forks() * turns;
        all.keySet().forEach(who -> measured.put(who, new double[turns]));
        for (int turn = 0; turn < turns; turn++) {
            for (W who : order(all.keySet(), before + turn)) {
                measured.get(who)[turn] = all.get(who).seconds();
            }
        }
        add(measured);
    }

    /**
     * Who comes after whom in that turn: forwards, then backwards, then the same from the next one on. So a drift favours none: of
     * two, each comes first once in two turns, and in six turns three have all the orders that there are.
     */
    static <W> List<W> order(Collection<W> all, int turn) {
        List<W> order = new ArrayList<>(all);
        Collections.rotate(order, -(turn / 2));
        if (turn % 2 == 1) {
            Collections.reverse(order);
        }
        return order;
    }

    /** How many have been measured so far. */
    int forks() {
        return forks.values().stream().mapToInt(List::size).max().orElse(0);
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
        return compare(above, below, (a, b) -> a / b);
    }

    /** What {@code more} takes above {@code less}. */
    Statistics.Estimate difference(W more, W less) {
        return compare(more, less, (a, b) -> a - b);
    }

    /** As {@link #ratio}, but the interval is that of the median of all turns. One fork has an interval so, but only of its own JVMs. */
    Statistics.Estimate ratioOfTurns(W above, W below) {
        List<Double> all = new ArrayList<>();
        for (int fork = 0; fork < forks.get(above).size(); fork++) {
            for (double each : turns(forks.get(above).get(fork), forks.get(below).get(fork), (a, b) -> a / b)) {
                all.add(each);
            }
        }
        Statistics.Estimate turns = Statistics.estimate(all.stream().mapToDouble(Double::doubleValue).toArray(), Measurements.COVERAGE);
        return new Statistics.Estimate(ratio(above, below).median(), turns.low(), turns.high(), turns.coverage());
    }

    private Statistics.Estimate compare(W first, W second, DoubleBinaryOperator how) {
        double[] compared = new double[forks.get(first).size()];
        for (int fork = 0; fork < compared.length; fork++) {
            compared[fork] = Statistics.median(turns(forks.get(first).get(fork), forks.get(second).get(fork), how));
        }
        return Statistics.estimate(compared, Measurements.COVERAGE);
    }

    private static double[] turns(double[] first, double[] second, DoubleBinaryOperator how) {
        double[] compared = new double[first.length];
        for (int turn = 0; turn < compared.length; turn++) {
            compared[turn] = how.applyAsDouble(first[turn], second[turn]);
        }
        return compared;
    }

    /** @param legend of the table that it stands below, in brackets */
    static String legend(int forks, int turns) {
        return String.format("(medians of %d forks; a fork's figures are the medians of its %d turns)", forks, turns);
    }
}
