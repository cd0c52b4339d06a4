package jfs.benchmarks.statistics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;

/**
 * Programs that are measured in turns of a fraction of a second. Virtual cores move to other physical cores while programs run. A
 * message between cores that are far apart takes six times as long. Other load on the machine comes and goes. So figures are compared
 * within each turn, a fork's figure is the median of its turns, and forks are compared as in {@link Measurements}.
 *
 * @param <W> the type of those that take turns
 */
public final class Turns<W> {
    private final Map<W, List<double[]>> forks = new HashMap<>();

    /** Measures once. */
    public interface Measurement {
        double seconds() throws ChildFailure, InterruptedException;
    }

    /** Runs a fork. Each of {@code all} takes the given number of turns, in the order of {@link #order}. */
    public void fork(int turns, Map<W, Measurement> all) throws ChildFailure, InterruptedException {
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
     * The order in that turn: forwards, in the next turn backwards, and then the same again from the next element on. So a
     * drift favours no element. Of two elements, each comes first once in two turns. In six turns three elements have all six orders.
     */
    public static <W> List<W> order(Collection<W> all, int turn) {
        List<W> order = new ArrayList<>(all);
        Collections.rotate(order, -(turn / 2));
        if (turn % 2 == 1) {
            Collections.reverse(order);
        }
        return order;
    }

    /** Whether it has taken turns. */
    public boolean has(W who) {
        return forks.containsKey(who);
    }

    /** How many forks have been measured so far. */
    public int forks() {
        return forks.values().stream().mapToInt(List::size).max().orElse(0);
    }

    /** Adds a fork: the values that all have measured in their turns. */
    public void add(Map<W, double[]> measured) {
        measured.forEach((who, values) -> forks.computeIfAbsent(who, none -> new ArrayList<>()).add(values));
    }

    /** The median of the forks' figures, in the unit of the values, mostly seconds. */
    public double median(W who) {
        return Statistics.median(forks.get(who).stream().mapToDouble(Statistics::median).toArray());
    }

    /** The same of seconds, in microseconds, as tables have it. */
    public String micros(W who) {
        return Table.number(median(who) * 1e6);
    }

    /** The same with the interval of the forks' figures. */
    public Statistics.Estimate estimate(W who) {
        double[] figures = forks.get(who).stream().mapToDouble(Statistics::median).toArray();
        return Statistics.estimate(figures, Measurements.COVERAGE);
    }

    /** The ratio of {@code above} to {@code below}. */
    public Statistics.Estimate ratio(W above, W below) {
        return compare(above, below, (a, b) -> a / b);
    }

    /** The difference of {@code more} and {@code less}. */
    public Statistics.Estimate difference(W more, W less) {
        return compare(more, less, (a, b) -> a - b);
    }

    /**
     * As {@link #ratio}, but the interval is that of the median of all turns. So even one fork has an interval, but it only holds for the
     * JVMs of that fork.
     */
    public Statistics.Estimate ratioOfTurns(W above, W below) {
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

    /** The legend in brackets that stands below a table. */
    public static String legend(int forks, int turns) {
        return String.format("(medians of %d forks; a fork's figures are the medians of its %d turns)", forks, turns);
    }
}
