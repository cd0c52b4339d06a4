package jfs.benchmarks.statistics;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Side;

/**
 * The figures of all forks. Sides are compared within each fork, and the result is the median of these comparisons. Compiled code,
 * memory and other load on the machine differ from fork to fork by chance. But the sides of a fork run at about the same time.
 */
public final class Measurements {
    public static final double COVERAGE = 0.95;

    private final Map<Side, Map<String, List<Double>>> values = new EnumMap<>(Side.class);
    private int forks;

    public void forkDone() {
        forks++;
    }

    public int forks() {
        return forks;
    }

    public void add(Side side, String key, double value) {
        values.computeIfAbsent(side, none -> new HashMap<>()).computeIfAbsent(key, none -> new ArrayList<>()).add(value);
    }

    /** The values of that side and key, one for each fork. */
    public double[] of(Side side, String key) throws ChildFailure {
        List<Double> found = values.getOrDefault(side, Map.of()).getOrDefault(key, List.of());
        if (found.size() != forks) {
            throw new ChildFailure(String.format(
                    "the client over %s gave %d results of '%s' in %d forks", side, found.size(), key, forks));
        }
        return found.stream().mapToDouble(Double::doubleValue).toArray();
    }

    public double median(Side side, String key) throws ChildFailure {
        return Statistics.median(of(side, key));
    }

    public Statistics.Estimate estimate(Side side, String key) throws ChildFailure {
        return estimate(of(side, key));
    }

    /** The median of the forks' values. */
    public static Statistics.Estimate estimate(double[] values) {
        return Statistics.estimate(values, COVERAGE);
    }

    /** How many times faster the side is than the JDK. */
    public Statistics.Estimate gain(Side side, String key) throws ChildFailure {
        return ratio(of(Side.JDK, key), of(side, key));
    }

    /** The cost of the side, as a multiple of the JDK's cost. */
    public Statistics.Estimate cost(Side side, String key) throws ChildFailure {
        return ratio(of(side, key), of(Side.JDK, key));
    }

    public static Statistics.Estimate ratio(double[] above, double[] below) {
        return compare(above, below, (a, b) -> a / b);
    }

    public static Statistics.Estimate difference(double[] more, double[] less) {
        return compare(more, less, (a, b) -> a - b);
    }

    private static Statistics.Estimate compare(double[] first, double[] second, DoubleBinaryOperator how) {
        double[] compared = new double[first.length];
        for (int i = 0; i < compared.length; i++) {
            compared[i] = how.applyAsDouble(first[i], second[i]);
        }
        return Statistics.estimate(compared, COVERAGE);
    }

    /** @param compared "ratios" or "differences" */
    public String legend(String compared) {
        return legend(forks, compared);
    }

    /** @param compared "ratios" or "differences" */
    public static String legend(int forks, String compared) {
        double coverage = Statistics.estimate(new double[forks], COVERAGE).coverage();
        return String.format(
                Locale.ROOT,
                "(medians of %d forks and of their paired %s; the interval covers the true median with %.1f %%)",
                forks, compared, 100 * coverage);
    }
}
