package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Measurements;
import jfs.benchmarks.statistics.Statistics;

/**
 * Combines rounds size by size. Each round has measured every side.
 *
 * <p>A ratio is the median of the rounds' own ratios, not the ratio of the medians. The speed of a shared machine changes from one
 * round to the next by more than the difference that is measured. But both sides of one round were measured within seconds.
 */
public final class Comparison {
    /** Seconds one way by size in bytes; the floor is measured at a few sizes only. */
    public record Round(Map<Integer, Double> jdk, Map<Integer, Double> jfs, Map<Integer, Double> floor) {}

    /** Medians over the rounds; {@code floor} and {@code toFloor} are NaN at a size without a measured floor. */
    public record Row(int bytes, double jdk, double jfs, double floor, double gain, double toFloor) {
        double jdkMegabytes() {
            return bytes / jdk * 1e-6;
        }

        double jfsMegabytes() {
            return bytes / jfs * 1e-6;
        }
    }

    private final List<Round> rounds;
    private final List<Row> rows = new ArrayList<>();

    public Comparison(List<Round> rounds) {
        this.rounds = List.copyOf(rounds);
        TreeSet<Integer> sizes = new TreeSet<>();
        rounds.forEach(round -> sizes.addAll(round.jfs.keySet()));
        for (int bytes : sizes) {
            // A sweep ends early when a trial takes too long; such a round has nothing to pair at the largest sizes.
            List<Round> both = rounds.stream()
                    .filter(round -> round.jdk.containsKey(bytes) && round.jfs.containsKey(bytes))
                    .toList();
            if (both.isEmpty()) {
                continue;
            }
            List<Round> all = both.stream().filter(round -> round.floor.containsKey(bytes)).toList();
            rows.add(new Row(
                    bytes,
                    median(both, round -> round.jdk.get(bytes)),
                    median(both, round -> round.jfs.get(bytes)),
                    median(all, round -> round.floor.get(bytes)),
                    median(both, round -> round.jdk.get(bytes) / round.jfs.get(bytes)),
                    median(all, round -> round.jfs.get(bytes) / round.floor.get(bytes))));
        }
    }

    /** Time, bandwidth and gain over the size of a message. */
    public List<Plot> plots() {
        return List.of(latency(), bandwidth(), gain());
    }

    /** The time of a message over its size. */
    public Plot latency() {
        Plot plot = new Plot("Time of a message, one way", Plot.Over.SIZES, "message, bytes", "microseconds",
                "Lower is faster. The floor is what sockets can't beat: two programs in C that spin on shared memory.");
        add(plot, (bytes, seconds) -> seconds * 1e6);
        return plot;
    }

    /** The bandwidth over the size of a message. */
    public Plot bandwidth() {
        Plot plot = new Plot("Bandwidth", Plot.Over.SIZES, "message, bytes", "MB/s (1 MB = 1,000,000 bytes)", "Higher is faster.");
        add(plot, (bytes, seconds) -> bytes / seconds * 1e-6);
        return plot;
    }

    private void add(Plot plot, BiFunction<Integer, Double, Double> figure) {
        Map<String, Function<Round, Map<Integer, Double>>> all = new LinkedHashMap<>();
        all.put("JDK sockets", Round::jdk);
        all.put("Java Fast Sockets", Round::jfs);
        all.put("floor: C, shared memory", Round::floor);
        all.forEach((name, of) -> {
            Product product = name.startsWith("JDK") ? Product.JDK : name.startsWith("floor") ? Product.FLOOR : Product.JFS;
            for (Row row : rows) {
                double[] figures = rounds.stream().map(of).filter(sizes -> sizes.containsKey(row.bytes))
                        .mapToDouble(sizes -> figure.apply(row.bytes, sizes.get(row.bytes))).toArray();
                if (figures.length > 0) {
                    plot.add(name, product, row.bytes, Measurements.estimate(figures), 1);
                }
            }
        });
    }

    private Plot gain() {
        Plot plot = new Plot("How many times faster than the JDK's sockets", Plot.Over.SIZES, "message, bytes", "JDK's time to JFS's",
                "Above the grey line JFS is faster.");
        plot.mark(1);
        rows.forEach(row -> plot.add("Java Fast Sockets", Product.JFS, row.bytes, gainAt(row.bytes), 1));
        return plot;
    }

    private Statistics.Estimate gainAt(int bytes) {
        return Measurements.estimate(rounds.stream()
                .filter(round -> round.jdk.containsKey(bytes) && round.jfs.containsKey(bytes))
                .mapToDouble(round -> round.jdk.get(bytes) / round.jfs.get(bytes)).toArray());
    }

    /** What was found at that size, in a sentence. */
    public Optional<String> finding(int bytes, String what) {
        return row(bytes).map(row -> String.format(
                "%s takes %s µs one way over JFS and %s µs over the JDK's sockets. %s", what, Table.number(row.jfs * 1e6),
                Table.number(row.jdk * 1e6), Report.faster(gainAt(bytes))));
    }

    private static double median(List<Round> rounds, ToDoubleFunction<Round> value) {
        return rounds.isEmpty() ? Double.NaN : Statistics.median(rounds.stream().mapToDouble(value).toArray());
    }

    List<Row> rows() {
        return rows;
    }

    public Optional<Row> row(int bytes) {
        return rows.stream().filter(row -> row.bytes == bytes).findFirst();
    }

    /** The sizes that are powers of two, so that the table fits on a screen. The files have the other sizes too. */
    public Table table() {
        Table table = new Table("bytes", "JDK us", "JFS us", "ratio", "JDK MB/s", "JFS MB/s", "floor us");
        for (Row row : rows) {
            if (Integer.bitCount(row.bytes) == 1) {
                table.add(
                        Integer.toString(row.bytes),
                        Table.number(row.jdk * 1e6),
                        Table.number(row.jfs * 1e6),
                        Table.number(row.gain),
                        Table.number(row.jdkMegabytes()),
                        Table.number(row.jfsMegabytes()),
                        Double.isNaN(row.floor) ? "" : Table.number(row.floor * 1e6));
            }
        }
        return table;
    }
}
