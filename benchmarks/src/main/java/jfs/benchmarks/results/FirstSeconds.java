package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Measurements;
import jfs.benchmarks.statistics.Statistics;

/** The figures of programs from their first request on: fork by fork, for each number of pairs, over both sides. */
public final class FirstSeconds {
    public static final List<Side> SIDES = List.of(Side.JDK, Side.JFS);

    private static final int STEPS_A_SECOND = 10;
    private static final int LATER_STEPS_A_SECOND = 2;
    private static final double FIRST_SECOND_LEAST = 8;
    private static final double WHOLE_LEAST = 0.95;

    /** One run. @param processor processor time in seconds, of both processes together, from the beginning to the end of the run */
    public record Run(Curve curve, double processor) {}

    private final double seconds;
    private final Map<Integer, Map<Side, List<Run>>> runs = new TreeMap<>();

    /** @param seconds the time of a run, from the first request on */
    public FirstSeconds(double seconds) {
        this.seconds = seconds;
    }

    /** Adds a run. Runs of the two sides with the same number of pairs are compared in the order in which they are added. */
    public void add(int pairs, Side side, Run run) {
        runs.computeIfAbsent(pairs, none -> new EnumMap<>(Side.class)).computeIfAbsent(side, none -> new ArrayList<>()).add(run);
    }

    public List<Integer> pairs() {
        return List.copyOf(runs.keySet());
    }

    /** The ends of the table's steps: tenths of a second in the first second, then halves. The last step may be shorter. */
    private List<Double> ends() {
        List<Double> ends = new ArrayList<>();
        for (double end : tenths()) {
            int tenth = (int) Math.round(end * STEPS_A_SECOND);
            if (end <= 1 || tenth % (STEPS_A_SECOND / LATER_STEPS_A_SECOND) == 0 || end == seconds) {
                ends.add(end);
            }
        }
        return ends;
    }

    /** The ends of all steps that were counted. */
    private List<Double> tenths() {
        int steps = (int) Math.ceil(seconds * STEPS_A_SECOND - 1e-6); // less a tolerance, since the product may be rounded up
        return IntStream.rangeClosed(1, steps)
                .mapToObj(step -> step == steps ? seconds : (double) step / STEPS_A_SECOND)
                .toList();
    }

    private double[] of(int pairs, Side side, ToDoubleFunction<Run> figure) {
        return runs.get(pairs).get(side).stream().mapToDouble(figure).toArray();
    }

    private double median(int pairs, Side side, ToDoubleFunction<Run> figure) {
        return Statistics.median(of(pairs, side, figure));
    }

    private Statistics.Estimate toJdk(int pairs, ToDoubleFunction<Run> figure) {
        return Measurements.ratio(of(pairs, Side.JFS, figure), of(pairs, Side.JDK, figure));
    }

    private static ToDoubleFunction<Run> rate(double from, double to) {
        return run -> run.curve.rate(from, to);
    }

    private ToDoubleFunction<Run> processor() {
        return run -> run.processor / run.curve.at(seconds);
    }

    /** The curve of both sides: a figure for each step of a tenth of a second, in the middle of the step. */
    public Plot plot(int pairs) {
        Plot plot = new Plot("Round trips of programs that have just started, " + title(pairs), Plot.Over.NUMBERS,
                "seconds since the first request", "thousand a second", "Higher is faster.");
        for (Side side : SIDES) {
            double from = 0;
            for (double to : tenths()) {
                plot.add(side.toString(), side == Side.JDK ? Product.JDK : Product.JFS, (from + to) / 2,
                        Measurements.estimate(of(pairs, side, rate(from, to))), 1e-3);
                from = to;
            }
        }
        return plot;
    }

    /** Thousand round trips a second, step by step. */
    public Table curves() {
        List<String> heads = new ArrayList<>(List.of("until s"));
        for (int pairs : runs.keySet()) {
            heads.addAll(List.of(title(pairs) + ": JDK", "JFS", "to JDK"));
        }
        Table table = new Table(heads.toArray(String[]::new));
        double from = 0;
        for (double to : ends()) {
            List<String> cells = new ArrayList<>(List.of(plain(to)));
            for (int pairs : runs.keySet()) {
                for (Side side : SIDES) {
                    cells.add(thousand(median(pairs, side, rate(from, to))));
                }
                cells.add(Table.number(toJdk(pairs, rate(from, to)).median()));
            }
            table.add(cells.toArray(String[]::new));
            from = to;
        }
        return table;
    }

    /** Thousand round trips in the first second and in the whole time, and the processor time of a round trip. */
    public Table sums() {
        List<String> heads = new ArrayList<>(List.of("pairs", ""));
        for (double span : spans()) {
            heads.addAll(List.of(plain(span) + " s: 1000", "to JDK", "interval"));
        }
        heads.addAll(List.of("CPU us", "to JDK", "interval"));
        Table table = new Table(heads.toArray(String[]::new));
        for (int pairs : runs.keySet()) {
            for (Side side : SIDES) {
                List<String> cells = new ArrayList<>(List.of(Integer.toString(pairs), side.toString()));
                for (double span : spans()) {
                    cells.add(thousand(median(pairs, side, run -> run.curve.at(span))));
                    cells.addAll(compared(side, toJdk(pairs, run -> run.curve.at(span))));
                }
                cells.add(Table.number(median(pairs, side, processor()) * 1e6));
                cells.addAll(compared(side, toJdk(pairs, processor())));
                table.add(cells.toArray(String[]::new));
            }
        }
        return table;
    }

    private static List<String> compared(Side side, Statistics.Estimate toJdk) {
        return side == Side.JDK ? List.of("", "") : List.of(Table.number(toJdk.median()), toJdk.interval());
    }

    /** The times for which there are sums, in seconds from the beginning on. */
    private List<Double> spans() {
        return seconds > 1 ? List.of(1.0, seconds) : List.of(seconds);
    }

    /** @param quiet whether no other program wants the processors; on shared processors JFS can't gain so much in the first second */
    public List<Goal> goals(boolean quiet) {
        List<Goal> goals = new ArrayList<>();
        for (int pairs : runs.keySet()) {
            if (quiet && pairs == 1 && seconds >= 1) {
                double first = toJdk(pairs, run -> run.curve.at(1)).median();
                goals.add(Goal.atLeast(FIRST_SECOND_LEAST, "1 pair, first second: to the JDK's", first));
            }
            double whole = toJdk(pairs, run -> run.curve.at(seconds)).median();
            goals.add(Goal.atLeast(WHOLE_LEAST, title(pairs) + ", " + plain(seconds) + " s: to the JDK's", whole));
        }
        return goals;
    }

    public static String title(int pairs) {
        return pairs == 1 ? "1 pair" : pairs + " pairs";
    }

    private static String thousand(double value) {
        return Table.number(value / 1000);
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
