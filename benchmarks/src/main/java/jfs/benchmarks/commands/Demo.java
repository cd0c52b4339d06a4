package jfs.benchmarks.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import jfs.benchmarks.measurements.NetPipe;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Floor;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.results.Comparison;
import jfs.benchmarks.results.Results;
import jfs.benchmarks.statistics.Goal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A proof within five minutes: the unchanged NetPIPE runs over the JDK's sockets and over JFS, beside the floor programs. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Runs NetPIPE between two JVMs over the JDK's sockets and over JFS in turn; prints a table, writes a page of plots.")
public final class Demo implements Callable<Integer> {
    private static final List<Integer> FLOOR_SIZES = List.of(1, 64, 1024, 4096, 65_536, 1 << 20);
    private static final int REASONS_SHOWN = 10;

    @Mixin
    private Installation installation;

    @Mixin
    private Pages pages;

    @Option(names = "--netpipe", required = true, paramLabel = "JAR", description = "NetPIPE for Java.")
    private Path netpipe;

    @Option(
            names = "--out", required = true, paramLabel = "DIR",
            description = "Folder for results.json, results.csv, latency.png, bandwidth.png.")
    private Path out;

    @Option(
            names = "--upper", paramLabel = "BYTES", defaultValue = "4194304",
            description = "Largest message (default: ${DEFAULT-VALUE}).")
    private int upper;

    @Option(
            names = "--rounds", paramLabel = "N", defaultValue = "5",
            description = "Sweeps of each side, alternating (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warmup", paramLabel = "SECONDS", defaultValue = "1.5",
            description = "NetPIPE's warm-up (default: ${DEFAULT-VALUE}).")
    private double warmup;

    @Option(
            names = "--trial-seconds", paramLabel = "SECONDS", defaultValue = "0.05",
            description = "One NetPIPE trial; three for each size (default: ${DEFAULT-VALUE}).")
    private double trialSeconds;

    @Option(
            names = "--time-limit", paramLabel = "SECONDS", defaultValue = "170",
            description = "No further round is begun that would end later (default: ${DEFAULT-VALUE}).")
    private int timeLimit;

    private final List<Comparison.Round> measured = new ArrayList<>();
    private final List<NetPipe.Sweep> jfsSweeps = new ArrayList<>();
    private Progress progress;

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        installation.check();
        installation.checkFile("--netpipe", netpipe);
        Files.createDirectories(out);
        progress = new Progress(System.err);
        NetPipe pipe = new NetPipe(installation, netpipe, out, new NetPipe.Settings(upper, warmup, trialSeconds));

        Instant start = Instant.now();
        Duration longest = Duration.ZERO;
        for (int round = 1; round <= rounds; round++) {
            Instant begun = Instant.now();
            if (Duration.between(start, begun).plus(longest).toSeconds() >= timeLimit) {
                progress.done("No time for more than " + (round - 1) + " rounds.");
                break;
            }
            measured.add(round(pipe, round));
            Duration took = Duration.between(begun, Instant.now());
            longest = took.compareTo(longest) > 0 ? took : longest;
        }

        Comparison comparison = new Comparison(measured);
        List<Goal> goals = goals(comparison);
        Results.write(out, measured, comparison, goals, jfsSweeps.stream().filter(NetPipe.Sweep::switched).count());
        progress.now("drawing");
        comparison.latency().save(out.resolve("latency.png"));
        comparison.bandwidth().save(out.resolve("bandwidth.png"));
        progress.done("Wrote " + out.resolve("results.json") + ", results.csv, latency.png and bandwidth.png.");
        pages.publish(report(comparison, goals), installation);
        return 0;
    }

    /** The side that comes first changes from round to round, so that a drift within a round favours neither side. */
    private Comparison.Round round(NetPipe pipe, int round) throws ChildFailure, InterruptedException, IOException {
        Map<Side, NetPipe.Sweep> sweeps = new LinkedHashMap<>();
        Map<Integer, Double> floor = new LinkedHashMap<>();
        List<Side> order = round % 2 == 1 ? List.of(Side.JDK, Side.JFS) : List.of(Side.JFS, Side.JDK);
        for (Side side : order) {
            if (side == Side.JDK) {
                sweeps.put(side, sweep(pipe, side, round));
            } else {
                // The floor is measured before and after the sweep of JFS, and the shorter time counts: NetPIPE itself keeps its best
                // trial too. If other load on the machine slowed the floor program down, JFS would look too good.
                measureFloor(floor, round);
                sweeps.put(side, sweep(pipe, side, round));
                measureFloor(floor, round);
            }
        }
        jfsSweeps.add(sweeps.get(Side.JFS));
        return new Comparison.Round(sweeps.get(Side.JDK).seconds(), sweeps.get(Side.JFS).seconds(), floor);
    }

    private void measureFloor(Map<Integer, Double> least, int round) throws ChildFailure, InterruptedException {
        for (int bytes : FLOOR_SIZES) {
            if (bytes <= upper) {
                progress.now(String.format("round %d of %d  floor  %d bytes", round, rounds, bytes));
                least.merge(bytes, installation.floor().sharedMemory(bytes, Floor.SECONDS), Math::min);
            }
        }
        progress.done(String.format(Locale.ROOT, "round %d of %d  floor  1 byte in %s us", round, rounds, micros(least.get(1))));
    }

    private NetPipe.Sweep sweep(NetPipe pipe, Side side, int round) throws ChildFailure, InterruptedException, IOException {
        String title = String.format("round %d of %d  %-5s", round, rounds, side);
        progress.now(title + "  warming up");
        Instant begun = Instant.now();
        NetPipe.Sweep sweep = pipe.sweep(side, (bytes, micros) ->
                progress.now(String.format(Locale.ROOT, "%s  %d bytes in %s us", title, bytes, Table.number(micros))));
        Integer least = sweep.seconds().firstKey();
        progress.done(String.format(
                Locale.ROOT,
                "%s  %d byte in %s us; %d sizes in %d s%s",
                title, least, micros(sweep.seconds().get(least)), sweep.seconds().size(),
                Duration.between(begun, Instant.now()).toSeconds(),
                side == Side.JDK ? "" : sweep.switched() ? "; switched" : "; NOT switched"));
        return sweep;
    }

    private static String micros(double seconds) {
        return Table.number(seconds * 1e6);
    }

    /** The goals for the figures: design targets, not results. */
    private static List<Goal> goals(Comparison comparison) {
        List<Goal> goals = new ArrayList<>();
        comparison.row(1).ifPresent(row -> {
            goals.add(Goal.overFloor(3, "1 byte, one way: JFS to the C floor", row.toFloor()));
            goals.add(Goal.atLeast(40, "1 byte, one way: faster than the JDK", row.gain()));
        });
        comparison.row(65_536).ifPresent(row -> goals.add(Goal.atLeast(5, "64 KB: bandwidth to the JDK's", row.gain())));
        return goals;
    }

    private Report report(Comparison comparison, List<Goal> goals) {
        Report report = new Report("demo", "Java Fast Sockets beside the JDK's sockets: messages between two programs",
                "Two Java programs on one host send each other messages of many sizes, with the unchanged benchmark NetPIPE. Once they run"
                        + " over the JDK's own sockets, which use TCP, and once over Java Fast Sockets (JFS), which use shared memory.",
                measured.size() + (measured.size() == 1 ? " round" : " rounds") + ", each with new JVMs for each side");
        comparison.finding(1, "A message of 1 byte").ifPresent(report::finding);
        comparison.finding(65_536, "A message of 64 KB").ifPresent(report::finding);
        comparison.plots().forEach(report::plot);
        report.table(comparison.table());
        report.line(String.format("(one way; medians of %d rounds; MB = 10^6 bytes; floor = two C processes spinning on shared memory)",
                measured.size()));
        report.line("");
        report.goals(goals);
        report.line("");
        addSwitching(report);
        return report;
    }

    /** Tells whether the connections were switched. Without this, figures of plain TCP could pass for those of JFS. */
    private void addSwitching(Report report) {
        List<NetPipe.Sweep> notSwitched = jfsSweeps.stream().filter(sweep -> !sweep.switched()).toList();
        if (notSwitched.isEmpty()) {
            report.line("Every JFS sweep ran over a switched connection.");
            return;
        }
        report.line(String.format("The connection was NOT switched in %d of %d JFS sweeps: they ran over plain TCP.", notSwitched.size(),
                jfsSweeps.size()));
        List<String> events = notSwitched.stream()
                .flatMap(sweep -> Stream.concat(
                        sweep.transmitter().otherEvents().stream(), sweep.receiver().otherEvents().stream()))
                .distinct()
                .limit(REASONS_SHOWN)
                .toList();
        if (events.isEmpty()) {
            report.line("Neither JVM reported any event of JFS.");
        } else {
            report.line("What JFS reported:");
            events.forEach(event -> report.line("  " + event));
        }
    }
}
