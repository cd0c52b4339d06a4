package jfs.benchmarks.results;

import java.util.List;
import java.util.Locale;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.statistics.Measurements;
import jfs.benchmarks.statistics.Statistics;

/**
 * One operation of a program: the median nanoseconds over each side, the gains of JFS and of the ceiling over the JDK, and the share
 * of the ceiling's rate that JFS reaches.
 */
public record OperationRow(
        String program,
        String operation,
        double jdkNanos,
        double jfsNanos,
        double agentNanos,
        double pipesNanos,
        Statistics.Estimate jfs,
        Statistics.Estimate agent,
        Statistics.Estimate ceiling,
        Statistics.Estimate ofCeiling) {

    public static OperationRow of(String program, String operation, Measurements measured, String key) throws ChildFailure {
        return new OperationRow(
                program,
                operation,
                measured.median(Side.JDK, key),
                measured.median(Side.JFS, key),
                measured.median(Side.AGENT, key),
                measured.median(Side.PIPES, key),
                measured.gain(Side.JFS, key),
                measured.gain(Side.AGENT, key),
                measured.gain(Side.PIPES, key),
                Measurements.ratio(measured.of(Side.PIPES, key), measured.of(Side.JFS, key)));
    }

    /** Whether the program or the connection limits the rate over JFS. */
    private String limit() {
        return ofCeiling.median() >= 0.8 ? "the program" : "the connection";
    }

    public static Table table(List<OperationRow> rows) {
        Table table = new Table(
                "program", "operation", "JDK us", "JFS us", "agent us", "pipes us", "JFS/JDK", "interval", "agent/JDK", "interval",
                "of ceiling", "limit");
        for (OperationRow row : rows) {
            table.add(
                    row.program, row.operation, micros(row.jdkNanos), micros(row.jfsNanos), micros(row.agentNanos),
                    micros(row.pipesNanos), Table.number(row.jfs.median()), row.jfs.interval(), Table.number(row.agent.median()),
                    row.agent.interval(), String.format(Locale.ROOT, "%.0f %%", 100 * row.ofCeiling.median()), row.limit());
        }
        return table;
    }

    private static String micros(double nanos) {
        return Table.number(nanos / 1000);
    }

    public static String csv(List<OperationRow> rows) {
        StringBuilder text = new StringBuilder("program,operation,jdk_ns,jfs_ns,agent_ns,pipes_ns,"
                + "jfs_gain,jfs_low,jfs_high,agent_gain,agent_low,agent_high,of_ceiling\n");
        for (OperationRow row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s,\"%s\",%.0f,%.0f,%.0f,%.0f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f%n",
                    row.program, row.operation, row.jdkNanos, row.jfsNanos, row.agentNanos, row.pipesNanos,
                    row.jfs.median(), row.jfs.low(), row.jfs.high(), row.agent.median(), row.agent.low(), row.agent.high(),
                    row.ofCeiling.median()));
        }
        return text.toString();
    }
}
