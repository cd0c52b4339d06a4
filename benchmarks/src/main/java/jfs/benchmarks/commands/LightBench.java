package jfs.benchmarks.commands;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import jfs.benchmarks.measurements.Paired;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Measurements;
import jfs.benchmarks.statistics.Statistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the cost of many connections that are used little. */
@Command(
        name = "light",
        mixinStandardHelpOptions = true,
        description = "Many connections with a request now and then: memory of a connection, CPU and latency of a request.")
final class LightBench implements Callable<Integer> {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int SMALL = 64;
    private static final int LARGE = 16 << 10;
    /** Goals: most bytes of shared memory for a connection with one small, or one large, request a second. */
    private static final double SMALL_MAX = 32 << 10;
    private static final double LARGE_MAX = 200 << 10;

    @Spec
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "3",
            description = "Fresh JVMs for each side and row (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--seconds", paramLabel = "N", defaultValue = "10",
            description = "Of requests at a steady pace, after more than the buffers take (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--connections", split = ",", paramLabel = "N", defaultValue = "100,1000",
            description = "Default: ${DEFAULT-VALUE}.")
    private List<Integer> connections;

    @Option(
            names = "--periods", split = ",", paramLabel = "MS", defaultValue = "1000,100",
            description = "Milliseconds between two requests of a connection (default: ${DEFAULT-VALUE}).")
    private List<Integer> periods;

    @Override
    public Integer call() throws ChildFailure, InterruptedException {
        installation.check();
        Progress progress = new Progress(System.err);
        Table table = new Table("connections", "every ms", "bytes", "", "shared KB", "kernel KB", "resident KB", "CPU us", "to JDK",
                "interval", "median us", "p99 us", "idle KB", "idle ms/s");
        List<Goal> goals = new ArrayList<>();
        StringBuilder switching = new StringBuilder();
        for (int count : connections) {
            for (int period : periods) {
                for (int bytes : List.of(SMALL, LARGE)) {
                    Paired paired = measure(count, period, bytes, progress);
                    Measurements measured = paired.measurements();
                    Statistics.Estimate cpu = measured.cost(Side.JFS, "cpu");
                    for (Side side : List.of(Side.JDK, Side.JFS)) {
                        boolean jfs = side == Side.JFS;
                        table.add(Integer.toString(count), Integer.toString(period), Integer.toString(bytes), side.toString(),
                                kilobytes(measured, side, "shared"), kilobytes(measured, side, "kernel"),
                                kilobytes(measured, side, "resident"), micros(measured, side, "cpu"),
                                jfs ? Table.number(cpu.median()) : "", jfs ? cpu.interval() : "",
                                micros(measured, side, "median"), micros(measured, side, "p99"),
                                kilobytes(measured, side, "idleshared"), Table.number(measured.median(side, "idle") / 1e6));
                    }
                    if (period >= 1000) {
                        double most = bytes == SMALL ? SMALL_MAX : LARGE_MAX;
                        goals.add(Goal.atMost(1, String.format(Locale.ROOT, "%d of %d bytes: memory, to %.0f KB", count, bytes,
                                most / 1024), measured.median(Side.JFS, "shared") / most));
                    }
                    switching.append(paired.switching());
                }
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.print(table);
        out.println("(memory: of a connection, both ends; CPU: of a request, both ends; idle: shared memory of a");
        out.println("connection, and CPU of both JVMs in a second, while nobody uses their connections; medians of " + forks + " forks)");
        out.println();
        goals.forEach(out::println);
        out.print(switching);
        out.flush();
        return 0;
    }

    private Paired measure(int count, int period, int bytes, Progress progress) throws ChildFailure, InterruptedException {
        List<String> server = List.of("workloads.many.ManyServer", LOOPBACK, Workload.PORT);
        List<String> client = List.of("workloads.many.LightClient", LOOPBACK, Workload.PORT, Integer.toString(count),
                Integer.toString(bytes), Integer.toString(period), Integer.toString(seconds));
        Paired paired = new Paired(installation, new Workload("light", server, client), List.of(Side.JDK, Side.JFS), "all");
        for (int fork = 1; fork <= forks; fork++) {
            String title = String.format("%d connections, %d bytes every %d ms, fork %d of %d", count, bytes, period, fork, forks);
            paired.fork(progress, title);
            progress.done(title);
        }
        return paired;
    }

    private static String kilobytes(Measurements measured, Side side, String key) throws ChildFailure {
        return Table.number(measured.median(side, key) / 1024);
    }

    private static String micros(Measurements measured, Side side, String key) throws ChildFailure {
        return Table.number(measured.median(side, key) / 1000);
    }
}
