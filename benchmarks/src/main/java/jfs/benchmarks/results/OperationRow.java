package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Measurements;
import jfs.benchmarks.statistics.Statistics;

/**
 * One operation of a program.
 *
 * @param sides what was measured over each of {@link #SIDES}
 * @param ofCeiling the share of the rate over pipes that JFS reaches
 */
public record OperationRow(String program, String operation, Map<Side, Figure> sides, Statistics.Estimate ofCeiling) {
    /** The sides that a row compares. Pipes are the ceiling. */
    public static final List<Side> SIDES = List.of(Side.JDK, Side.JFS, Side.AGENT, Side.PIPES);

    /** The median time over one side, and how many times faster that side is than the JDK. */
    public record Figure(double nanos, Statistics.Estimate gain) {
        private String micros() {
            return Table.number(nanos / 1000);
        }
    }

    /** @param key the operation's key among the figures */
    public static OperationRow of(String program, String operation, Measurements measured, String key) throws ChildFailure {
        Map<Side, Figure> sides = new EnumMap<>(Side.class);
        for (Side side : SIDES) {
            sides.put(side, new Figure(measured.median(side, key), measured.gain(side, key)));
        }
        return new OperationRow(program, operation, sides,
                Measurements.ratio(measured.of(Side.PIPES, key), measured.of(Side.JFS, key)));
    }

    public Statistics.Estimate gain(Side side) {
        return sides.get(side).gain;
    }

    /** Whether the program or the connection limits the rate over JFS. */
    private String limit() {
        return ofCeiling.median() >= 0.8 ? "the program" : "the connection";
    }

    /** The rate of each operation as a multiple of the JDK's rate. */
    public static Plot plot(List<OperationRow> rows) {
        Plot plot = Plot.toJdk("How many times faster than over the JDK's sockets", "operation", "times the JDK's rate",
                "To the right of it JFS is faster. No sockets can be much faster than the ceiling.");
        boolean onlyOne = rows.stream().map(OperationRow::program).distinct().count() == 1;
        for (OperationRow row : rows) {
            String label = (onlyOne ? "" : row.program + ": ") + row.operation;
            plot.add("JFS by launcher", Product.JFS, label, row.gain(Side.JFS), 1);
            plot.add("JFS by agent", Product.AGENT, label, row.gain(Side.AGENT), 1);
            plot.add("ceiling: pipes in one JVM", Product.FLOOR, label, row.gain(Side.PIPES), 1);
        }
        return plot;
    }

    /** What was found, in a sentence. */
    public String finding() {
        return String.format("%s, %s: %s µs over JFS, %s µs over the JDK's sockets. %s", program, operation,
                sides.get(Side.JFS).micros(), sides.get(Side.JDK).micros(), Report.faster(gain(Side.JFS)));
    }

    public static Table table(List<OperationRow> rows) {
        Table table = new Table(
                "program", "operation", "JDK us", "JFS us", "agent us", "pipes us", "JFS/JDK", "interval", "agent/JDK", "interval",
                "of ceiling", "limit");
        for (OperationRow row : rows) {
            Statistics.Estimate jfs = row.gain(Side.JFS);
            Statistics.Estimate agent = row.gain(Side.AGENT);
            List<String> cells = new ArrayList<>(List.of(row.program, row.operation));
            SIDES.forEach(side -> cells.add(row.sides.get(side).micros()));
            cells.addAll(List.of(Table.number(jfs.median()), jfs.interval(), Table.number(agent.median()), agent.interval(),
                    String.format(Locale.ROOT, "%.0f %%", 100 * row.ofCeiling.median()), row.limit()));
            table.add(cells.toArray(String[]::new));
        }
        return table;
    }

    public static String csv(List<OperationRow> rows) {
        StringBuilder text = new StringBuilder("program,operation,jdk_ns,jfs_ns,agent_ns,pipes_ns,"
                + "jfs_gain,jfs_low,jfs_high,agent_gain,agent_low,agent_high,of_ceiling\n");
        for (OperationRow row : rows) {
            Statistics.Estimate jfs = row.gain(Side.JFS);
            Statistics.Estimate agent = row.gain(Side.AGENT);
            text.append(String.format(
                    Locale.ROOT,
                    "%s,\"%s\",%.0f,%.0f,%.0f,%.0f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f%n",
                    row.program, row.operation, row.sides.get(Side.JDK).nanos, row.sides.get(Side.JFS).nanos,
                    row.sides.get(Side.AGENT).nanos, row.sides.get(Side.PIPES).nanos,
                    jfs.median(), jfs.low(), jfs.high(), agent.median(), agent.low(), agent.high(), row.ofCeiling.median()));
        }
        return text.toString();
    }
}
