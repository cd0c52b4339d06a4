package jfs.benchmarks.commands;

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
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Measurements;
import jfs.benchmarks.statistics.Statistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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

    @Mixin
    private Installation installation;

    @Mixin
    private Pages pages;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "3",
            description = "Fresh JVMs for each side and row (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--seconds", paramLabel = "N", defaultValue = "10",
            description = "Of requests at a steady pace, after more than the buffers take (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--idle-seconds", paramLabel = "N", defaultValue = "30",
            description = "Without requests, for the cost of idle connections. Processor time is counted in ticks of 10 ms, so a short"
                    + " time tells little (default: ${DEFAULT-VALUE}).")
    private int idleSeconds;

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
        String rows = "connections";
        Plot shared = new Plot("Shared memory of a connection, both ends", rows, "KB", "Less is better. The JDK's sockets have none.");
        Plot kernel = new Plot("Memory of a connection in the kernel, both ends", rows, "KB", "Less is better.");
        Plot processor = new Plot("Processor time of a request, both ends", rows, "microseconds", "Less is better.");
        Plot latency = new Plot("Time from a request to its answer, the median", rows, "microseconds", "Less is faster.");
        List<Goal> goals = new ArrayList<>();
        StringBuilder switching = new StringBuilder();
        for (int count : connections) {
            for (int period : periods) {
                for (int bytes : List.of(SMALL, LARGE)) {
                    Paired paired = measure(count, period, bytes, progress);
                    Measurements measured = paired.measurements();
                    Statistics.Estimate cpu = measured.cost(Side.JFS, "cpu");
                    String row = String.format("%d, %s bytes every %d ms", count, bytes, period);
                    for (Side side : List.of(Side.JDK, Side.JFS)) {
                        boolean jfs = side == Side.JFS;
                        Product product = jfs ? Product.JFS : Product.JDK;
                        shared.add(side.toString(), product, row, measured.estimate(side, "shared"), 1.0 / 1024);
                        kernel.add(side.toString(), product, row, measured.estimate(side, "kernel"), 1.0 / 1024);
                        processor.add(side.toString(), product, row, measured.estimate(side, "cpu"), 1e-3);
                        latency.add(side.toString(), product, row, measured.estimate(side, "median"), 1e-3);
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
        Report report = new Report("light", "Many connections that are used little: JFS beside the JDK's sockets",
                "Two JVMs have many connections. On each of them a request is sent now and then, at a steady pace.", Report.forks(forks));
        List.of(latency, processor, shared, kernel).forEach(report::plot);
        report.table(table);
        report.line("(memory: of a connection, both ends; CPU: of a request, both ends; idle: shared memory of a\n"
                + "connection, and CPU of both JVMs in a second, while nobody uses their connections; medians of " + forks + " forks)");
        report.line("");
        report.goals(goals);
        report.lines(switching.toString());
        pages.publish(report, installation);
        return 0;
    }

    private Paired measure(int count, int period, int bytes, Progress progress) throws ChildFailure, InterruptedException {
        List<String> server = List.of("workloads.many.ManyServer", LOOPBACK, Workload.PORT);
        List<String> client = List.of("workloads.many.LightClient", LOOPBACK, Workload.PORT, Integer.toString(count),
                Integer.toString(bytes), Integer.toString(period), Integer.toString(seconds), Integer.toString(idleSeconds));
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
