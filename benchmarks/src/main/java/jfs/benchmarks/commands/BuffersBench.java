package jfs.benchmarks.commands;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import jfs.benchmarks.measurements.Allocations;
import jfs.benchmarks.measurements.Allocations.Allocator;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Measurements;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the pools of direct memory. It is the figure 4.1 of Baker, Carpenter and Shafi on today's JVM. */
@Command(
        name = "buffers",
        mixinStandardHelpOptions = true,
        description = "Allocation and release of buffers: JFS's pool, its two buddy allocators without magazines, Netty's pool, and the"
                + " JDK's direct and heap buffers, in turns, garbage collections included.")
final class BuffersBench implements Callable<Integer> {
    private static final int KB = 1024;
    private static final double GOAL = 10;
    private static final double SECONDS_MAX = 30; // a turn must end before the time limit of Players
    private static final Map<Allocator, String> TITLES = new EnumMap<>(Map.of(Allocator.SHARED, "JFS's pool", Allocator.OUTSIDE,
            "outside", Allocator.INSIDE, "inside", Allocator.NETTY, "Netty's pool", Allocator.DIRECT, "allocateDirect"));
    private static final Map<Allocator, Product> PRODUCTS = Map.of(Allocator.SHARED, Product.JFS, Allocator.OUTSIDE, Product.AGENT,
            Allocator.INSIDE, Product.LIBRARY, Allocator.NETTY, Product.FLOOR, Allocator.DIRECT, Product.JDK);

    @Mixin
    private Installation installation;

    @Mixin
    private Pages pages;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--libraries", required = true, paramLabel = "DIR",
            description = "Folder with the jars of jfs-buffers and of Netty.")
    private Path libraries;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "5",
            description = "A new JVM for each allocator (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--sizes", split = ",", paramLabel = "BYTES", defaultValue = "64,256,1024,4096,16384,65536,262144,1048576,8388608",
            description = "Default: ${DEFAULT-VALUE}.")
    private List<Integer> sizes;

    @Option(
            names = "--threads", split = ",", paramLabel = "N", defaultValue = "1,2,3,4",
            description = "How many threads allocate at the same time (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads;

    @Option(
            names = "--turns", paramLabel = "N", defaultValue = "4",
            description = "For each fork (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(
            names = "--turn-seconds", paramLabel = "S", defaultValue = "0.8",
            description = "Of a turn, which has all sizes and numbers of threads (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--figure", paramLabel = "FILE", description = "Also draws the first plot into this file (PNG).")
    private Path figure;

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        installation.checkFile("--libraries", libraries);
        OptionValues.check(spec, "--turn-seconds", seconds, seconds > 0 && seconds <= SECONDS_MAX,
                "more than 0 and at most " + SECONDS_MAX);
        Allocations measured = new Allocations(installation, libraries, sizes, threads);
        measured.run(forks, turns, seconds, new Progress(System.err));
        Report report = new Report("buffers", "Pools of buffers beside the JDK's buffers",
                "A thread allocates a buffer, writes its first byte and gives it back, again and again; or several threads do so at the"
                        + " same time. The time of garbage collections is part of the figures.", Report.forks(forks));
        List<Goal> goals = new ArrayList<>();
        for (int count : threads) {
            String title = count == 1 ? "1 thread" : count + " threads";
            Plot plot = plot(measured, count, title);
            report.heading(title);
            report.plot(plot);
            report.line(title + ":");
            report.table(table(measured, count));
            report.line("");
            if (figure != null && count == threads.get(0)) {
                plot.save(figure);
            }
            goal(measured, count, title, goals);
        }
        report.line("(nanoseconds; pool: the shared pool; outside, inside: the buddy allocators without magazines)");
        report.line(Measurements.legend(forks, "ratios"));
        report.line("");
        report.goals(goals);
        pages.publish(report, installation);
        return 0;
    }

    private Plot plot(Allocations measured, int count, String title) {
        Plot plot = new Plot("Time to allocate and release a buffer, " + title, "buffer, bytes", "microseconds", "Lower is faster.");
        for (int bytes : sizes) {
            TITLES.forEach((allocator, name) -> plot.add(name, PRODUCTS.get(allocator), Integer.toString(bytes),
                    measured.nanos(bytes, count).estimate(allocator), 1e-3));
        }
        return plot;
    }

    private Table table(Allocations measured, int count) {
        Table table = new Table("bytes", "pool", "outside", "inside", "Netty", "allocateDirect", "heap", "allocateDirect/pool", "interval",
                "Netty/pool", "interval", "pool's garbage B");
        for (int bytes : sizes) {
            Turns<Allocator> nanos = measured.nanos(bytes, count);
            Statistics.Estimate toDirect = nanos.ratio(Allocator.DIRECT, Allocator.SHARED);
            Statistics.Estimate toNetty = nanos.ratio(Allocator.NETTY, Allocator.SHARED);
            List<String> row = new ArrayList<>(List.of(Integer.toString(bytes)));
            for (Allocator each : Allocator.values()) {
                row.add(Table.number(nanos.median(each)));
            }
            row.addAll(List.of(Table.number(toDirect.median()), toDirect.interval(), Table.number(toNetty.median()), toNetty.interval(),
                    Table.number(measured.garbage(bytes, count).median(Allocator.SHARED))));
            table.add(row.toArray(String[]::new));
        }
        return table;
    }

    /** The size from 1 KB up whose ratio is the least decides. */
    private void goal(Allocations measured, int count, String title, List<Goal> goals) {
        sizes.stream().filter(bytes -> bytes >= KB)
                .mapToDouble(bytes -> measured.nanos(bytes, count).ratio(Allocator.DIRECT, Allocator.SHARED).median()).min()
                .ifPresent(least -> goals.add(Goal.atLeast(GOAL, "from 1 KB, " + title + ": allocateDirect to pool", least)));
    }
}
