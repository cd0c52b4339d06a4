package jfs.benchmarks.commands;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jfs.benchmarks.builds.CompareBench;
import jfs.benchmarks.measurements.Paired;
import jfs.benchmarks.measurements.PingPong;
import jfs.benchmarks.measurements.Startup;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Floor;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
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
import picocli.CommandLine.Option;

/** Commands that measure one thing each. A result is the median of paired comparisons over many pairs of fresh JVMs. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        subcommands = {QueueBench.class, SisciBench.class, MxBench.class, LightBench.class, CrowdBench.class, FirstBench.class,
            ConnectBench.class, ProgramsBench.class, NioBench.class, TypedBench.class, PreferencesBench.class, BuffersBench.class,
            LayoutsBench.class,
            CompareBench.class},
        subcommandsRepeatable = true,
        description = "Measures one thing at a time over many pairs of JVMs, with an interval for each ratio.")
public final class Bench {
    private static final int COPIED_FROM = 65_536; // from this size on, copying limits the bandwidth
    private static final String FLOOR = "floor";
    private static final String COPY = "copy";

    private static final List<Side> JDK_AND_JFS = List.of(Side.JDK, Side.JFS);

    /** The options that the commands of this class share. */
    static final class Options {
        @Mixin
        private Installation installation;

        @Mixin
        private Pages pages;

        @Option(
                names = "--forks", paramLabel = "N", defaultValue = "11",
                description = "Fresh JVMs for each side (default: ${DEFAULT-VALUE}).")
        private int forks;

        private final Progress progress = new Progress(System.err);

        private Report report(String name, String title, String sentence) {
            return new Report(name, title, sentence, Report.forks(forks));
        }

        /** Measures one mode of {@link workloads.echo.Peer} over the JDK's sockets and over JFS. */
        private Paired peers(String does, int times, String log) throws ChildFailure, InterruptedException {
            installation.check();
            Paired paired = Paired.peers(installation, JDK_AND_JFS, does, times, log);
            paired.run(forks, progress);
            return paired;
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "A message there and back through Socket's streams.")
    int pingpong(
            @Mixin Options options,
            @Option(
                    names = "--sizes", split = ",", paramLabel = "BYTES", defaultValue = "1,64,1024,65536,1048576",
                    description = "Default: ${DEFAULT-VALUE}.")
                    List<Integer> sizes,
            @Option(
                    names = "--turns", paramLabel = "N", defaultValue = "15",
                    description = "For each size and fork (default: ${DEFAULT-VALUE}).")
                    int turns)
            throws ChildFailure, InterruptedException {
        options.installation.check();
        Floor floor = options.installation.floor();
        Map<String, PingPong.Other> others = Map.of(FLOOR, floor::sharedMemory, COPY, floor::copy);
        PingPong pingPong = new PingPong(options.installation, JDK_AND_JFS, "all");
        pingPong.run(sizes, options.forks, turns, others, options.progress);
        String jdk = Side.JDK.toString();
        String jfs = Side.JFS.toString();
        List<Goal> goals = new ArrayList<>();
        Table table = new Table("bytes", "JDK us", "JFS us", "floor us", "JDK/JFS", "interval", "JFS/floor", "interval");
        Plot times = new Plot("Time of a message, one way", "message, bytes", "microseconds", "Lower is faster.");
        Plot gains = Plot.toJdk("How many times faster than the JDK's sockets", "message, bytes", "JDK's time to JFS's",
                "Above it JFS is faster.");
        for (int bytes : sizes) {
            Turns<String> measured = pingPong.of(bytes);
            Statistics.Estimate gain = measured.ratio(jdk, jfs);
            Statistics.Estimate toFloor = measured.ratio(jfs, FLOOR);
            table.add(Integer.toString(bytes), measured.micros(jdk), measured.micros(jfs), measured.micros(FLOOR),
                    Table.number(gain.median()), gain.interval(), Table.number(toFloor.median()), toFloor.interval());
            String label = Integer.toString(bytes);
            times.add("JDK sockets", Product.JDK, label, measured.estimate(jdk), 1e6);
            times.add("JFS", Product.JFS, label, measured.estimate(jfs), 1e6);
            times.add("floor: C", Product.FLOOR, label, measured.estimate(FLOOR), 1e6);
            gains.add("JFS", Product.JFS, label, gain, 1);
            if (bytes == 1) {
                goals.add(Goal.overFloor(2, "1 byte: JFS to the C floor", toFloor.median()));
                goals.add(Goal.atLeast(40, "1 byte: faster than the JDK", gain.median()));
            } else if (bytes >= COPIED_FROM) {
                goals.add(Goal.atLeast(8, bytes + " bytes: bandwidth to the JDK's", gain.median()));
                double toCopy = measured.ratio(COPY, jfs).median();
                goals.add(Goal.atLeast(0.5, bytes + " bytes: bandwidth to one core's copy", toCopy));
            }
        }
        Report report = options.report("pingpong", "A message there and back: JFS beside the JDK's sockets",
                "A message of each size goes there and back between two JVMs, over the JDK's sockets and over JFS, in turns with two C"
                        + " processes that spin on shared memory.");
        Turns<String> first = pingPong.of(sizes.get(0));
        report.finding(String.format(
                "A message of %d %s takes %s µs one way over JFS and %s µs over the JDK's sockets. %s", sizes.get(0),
                sizes.get(0) == 1 ? "byte" : "bytes", first.micros(jfs), first.micros(jdk), Report.faster(first.ratio(jdk, jfs))));
        report.plot(times);
        report.plot(gains);
        return publish(options, report, table, Turns.legend(options.forks, turns), goals, pingPong.switching());
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "A request every millisecond, so that its receiver sleeps: round-trip latency.")
    int asleep(
            @Mixin Options options,
            @Option(
                    names = "--requests", paramLabel = "N", defaultValue = "4000",
                    description = "For each fork (default: ${DEFAULT-VALUE}).")
                    int requests)
            throws ChildFailure, InterruptedException {
        Paired paired = options.peers("asleep", requests, "all");
        Measurements measured = paired.measurements();
        Table table = new Table("", "JDK us", "JFS us", "JFS/JDK", "interval");
        Plot times = new Plot("Round trip of a request, one each millisecond",
                "median, or 99th percentile, of the requests", "microseconds", "Lower is faster.");
        for (String key : List.of("median", "p99")) {
            Statistics.Estimate ratio = measured.cost(Side.JFS, key);
            times.add("JDK sockets", Product.JDK, key, measured.estimate(Side.JDK, key), 1e-3);
            times.add("JFS", Product.JFS, key, measured.estimate(Side.JFS, key), 1e-3);
            table.add(key, micros(measured.of(Side.JDK, key)), micros(measured.of(Side.JFS, key)),
                    Table.number(ratio.median()), ratio.interval());
        }
        double cost = measured.cost(Side.JFS, "median").median();
        Report report = options.report("asleep", "When the receiver sleeps: JFS beside the JDK's sockets",
                "A client sends a request each millisecond, so that the server sleeps until it comes, and the client sleeps until the"
                        + " answer comes.");
        report.plot(times);
        return publish(options, report, table, measured.legend("ratios"),
                List.of(Goal.atMost(1, "receiver asleep: JFS to the JDK's latency", cost)), paired.switching());
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "The ping-pong of a program under JFS with one that isn't: must cost what it costs between two plain ones.")
    int plainpeer(
            @Mixin Options options,
            @Option(
                    names = "--sizes", split = ",", paramLabel = "BYTES", defaultValue = "1,1024,65536",
                    description = "Default: ${DEFAULT-VALUE}.")
                    List<Integer> sizes,
            @Option(
                    names = "--turns", paramLabel = "N", defaultValue = "15",
                    description = "For each size and fork (default: ${DEFAULT-VALUE}).")
                    int turns)
            throws ChildFailure, InterruptedException {
        options.installation.check();
        List<Side> mixed = List.of(Side.JFS_CLIENT, Side.JFS_SERVER);
        PingPong pingPong = new PingPong(options.installation, List.of(Side.JDK, Side.JFS_CLIENT, Side.JFS_SERVER), "fallback");
        pingPong.run(sizes, options.forks, turns, Map.of(), options.progress);

        String jdk = Side.JDK.toString();
        List<Goal> goals = new ArrayList<>();
        Table table = new Table("bytes", "ends", "JDK us", "us", "to JDK", "interval");
        Plot costs = Plot.toJdk("One end runs under JFS, the other one does not", "message, bytes", "time to the JDK's",
                "Below it JFS is faster.");
        for (int bytes : sizes) {
            Turns<String> measured = pingPong.of(bytes);
            for (Side side : mixed) {
                Statistics.Estimate cost = measured.ratio(side.toString(), jdk);
                table.add(Integer.toString(bytes), side.toString(), measured.micros(jdk), measured.micros(side.toString()),
                        Table.number(cost.median()), cost.interval());
                costs.add(side.toString(), side == Side.JFS_CLIENT ? Product.JFS : Product.AGENT, Integer.toString(bytes), cost, 1);
                goals.add(Goal.noSlower(bytes + " bytes, " + side + ": to the JDK's time", cost));
            }
        }
        Report report = options.report("plainpeer", "A peer without JFS, beside two programs without JFS",
                "A message goes there and back between a JVM under JFS and one without JFS, in turns with two JVMs without JFS.");
        report.plot(costs);
        return publish(options, report, table, Turns.legend(options.forks, turns), goals, pingPong.switching());
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Milliseconds from the start of a JVM to its end: a program without sockets, one with a connection, and"
                    + " one with a connection of channels and a selector.")
    int startup(@Mixin Options options) throws ChildFailure, InterruptedException, IOException {
        options.installation.check();
        Startup startup = new Startup(options.installation);
        startup.run(options.forks, options.progress);
        Measurements measured = startup.millis();
        Table table = new Table("program", "started", "ms", "more than plain, ms", "interval");
        Plot times = new Plot("From the start of a JVM to its end", "program", "milliseconds", "Lower is faster.");
        for (String program : Startup.PROGRAMS) {
            double[] plain = measured.of(Side.JDK, program);
            times.add("plain JVM", Product.JDK, program, measured.estimate(Side.JDK, program), 1);
            table.add(program, "plain", Table.number(Statistics.median(plain)), "", "");
            for (Startup.Started started : Startup.STARTED) {
                double[] millis = measured.of(started.side(), program);
                Statistics.Estimate more = Measurements.difference(millis, plain);
                times.add(started.title(), product(started.side()), program, measured.estimate(started.side(), program), 1);
                table.add(program, started.title(), Table.number(Statistics.median(millis)), Table.number(more.median()),
                        more.interval());
            }
        }
        Report report = options.report("startup", "The start of a JVM: under JFS beside a plain start",
                "A JVM runs a small program without sockets, with one connection, or with a connection of channels, from its start to its"
                        + " end, started plainly and in the ways that JFS has.");
        report.plot(times);
        report.table(table);
        report.line(measured.legend("differences"));
        report.line("(empty agent: one that does nothing)");
        options.pages.publish(report, options.installation);
        return 0;
    }

    private static Product product(Side side) {
        return switch (side) {
            case JFS -> Product.JFS;
            case EMPTY_AGENT -> Product.FLOOR;
            default -> Product.AGENT;
        };
    }

    private static int publish(Options options, Report report, Table table, String legend, List<Goal> goals, String switching) {
        report.table(table);
        report.line(legend);
        report.line("");
        report.goals(goals);
        report.lines(switching);
        options.pages.publish(report, options.installation);
        return 0;
    }

    private static String micros(double[] nanos) {
        return Table.number(Statistics.median(nanos) / 1000);
    }
}
