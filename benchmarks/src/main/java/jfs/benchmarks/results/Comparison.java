package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import jfs.benchmarks.output.Table;
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

    private final List<Row> rows = new ArrayList<>();

    public Comparison(List<Round> rounds) {
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
