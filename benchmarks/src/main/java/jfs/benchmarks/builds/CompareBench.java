package jfs.benchmarks.builds;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import jfs.benchmarks.measurements.Connections;
import jfs.benchmarks.measurements.Crowds;
import jfs.benchmarks.measurements.FirstRuns;
import jfs.benchmarks.measurements.Paired;
import jfs.benchmarks.measurements.PingPong;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Surroundings;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.results.FirstSeconds;
import jfs.benchmarks.statistics.Measurements;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import workloads.many.Threads;

/** Measures what a change did. This build and the build of another commit take turns with each other and with the JDK's sockets. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = {
            "What has changed since a commit: builds it, and measures both builds in turns in one run.",
            "Each row is a cost (time, CPU, bytes): below 1 this build is the better one."
        })
public final class CompareBench implements Callable<Integer> {
    private static final List<Side> SIDES = List.of(Side.JDK, Side.EARLIER, Side.JFS);
    private static final List<Side> BUILDS = List.of(Side.EARLIER, Side.JFS);
    private static final int TURNS = 9;
    private static final double SECONDS = 1;
    private static final double FIRST_SECONDS = 3;
    private static final int BYTES = 64;
    private static final int REQUESTS = 2000;
    private static final List<Integer> SIZES = List.of(1, BYTES, 65536);
    private static final List<Integer> CALLS = List.of(1, 20, 410);
    private static final List<Integer> PAIRS = List.of(1, 8);
    private static final List<Crowds.Crowd> CROWDS = List.of(new Crowds.Crowd(2, 2), new Crowds.Crowd(8, 8), new Crowds.Crowd(64, 64));

    /** What can be measured. Each kind is also a command of its own, which prints more. */
    enum Kind {
        PINGPONG, ASLEEP, CONNECT, CROWD, FIRST
    }

    /** A cost. @param jdk the median cost over the JDK's sockets; {@code before} and {@code after} are the same of the two builds */
    private record Row(String what, String unit, double jdk, double before, double after, Statistics.Estimate ratio) {
        static Row of(String what, String unit, double scale, Turns<String> measured) {
            String before = Side.EARLIER.toString();
            String after = Side.JFS.toString();
            return new Row(what, unit, scale * measured.median(Side.JDK.toString()), scale * measured.median(before),
                    scale * measured.median(after), measured.ratio(after, before));
        }

        static Row ofSides(String what, String unit, double scale, Turns<Side> measured) {
            return new Row(what, unit, scale * measured.median(Side.JDK), scale * measured.median(Side.EARLIER),
                    scale * measured.median(Side.JFS), measured.ratio(Side.JFS, Side.EARLIER));
        }

        static Row of(String what, String unit, double scale, double[] jdk, double[] before, double[] after) {
            return new Row(what, unit, scale * Statistics.median(jdk), scale * Statistics.median(before), scale * Statistics.median(after),
                    Measurements.ratio(after, before));
        }

        /** "better" or "worse" if the interval leaves 1 out, else empty. With too few forks it is always empty. */
        private String verdict() {
            if (ratio.coverage() < Measurements.COVERAGE) {
                return "";
            }
            return ratio.high() < 1 ? "better" : ratio.low() > 1 ? "worse" : "";
        }

        private String summary() {
            return what + " " + ratio;
        }
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Mixin
    private Surroundings surroundings;

    @Mixin
    private Pages pages;

    @Parameters(paramLabel = "COMMIT", description = "As git names it: HEAD~1, a branch, a number.")
    private String commit;

    @Option(
            names = "--benches", split = ",", paramLabel = "NAME", defaultValue = "pingpong,asleep,connect,crowd",
            description = "Any of pingpong, asleep, connect, crowd and first (default: ${DEFAULT-VALUE}).")
    private List<Kind> benches;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "6",
            description = "Fresh JVMs for each side (default: ${DEFAULT-VALUE}); with fewer than 6 no row is called better or worse.")
    private int forks;

    @Option(
            names = "--repository", paramLabel = "DIR", defaultValue = ".",
            description = "Where git finds the commit; the jars of commits are kept in its target/compare (default: this folder).")
    private Path repository;

    private final Progress progress = new Progress(System.err);
    private final List<Row> rows = new ArrayList<>();
    private final List<String> switching = new ArrayList<>();

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        installation.check();
        String name;
        try (CommitBuild build = CommitBuild.of(repository, commit)) {
            if (build == null) {
                throw new ParameterException(spec.commandLine(), "there is no commit " + commit + " in " + repository.toRealPath());
            }
            name = build.shortName();
            installation.compareWith(build.jar(repository.resolve("target").resolve("compare"), progress));
        }
        Set<Kind> chosen = EnumSet.copyOf(benches);
        try (Surroundings.Loops loops = surroundings.begin()) {
            for (Kind kind : chosen) {
                progress.done(kind.name().toLowerCase(Locale.ROOT));
                measure(kind);
            }
        }
        publish(name);
        return 0;
    }

    private void measure(Kind kind) throws ChildFailure, InterruptedException {
        switch (kind) {
            case PINGPONG -> pingPong();
            case ASLEEP -> asleep();
            case CONNECT -> connect();
            case CROWD -> crowd();
            case FIRST -> first();
        }
    }

    private void pingPong() throws ChildFailure, InterruptedException {
        PingPong pingPong = new PingPong(installation, SIDES, "all");
        pingPong.run(SIZES, forks, TURNS, Map.of(), progress);
        pingPong.switching().lines().forEach(line -> switching.add("pingpong: " + line));
        for (int bytes : SIZES) {
            rows.add(Row.of("pingpong " + bytes + " B", "us", 1e6, pingPong.of(bytes)));
        }
    }

    private void asleep() throws ChildFailure, InterruptedException {
        Paired paired = Paired.peers(installation, SIDES, "asleep", REQUESTS, "all");
        paired.run(forks, progress);
        paired.switching().lines().forEach(line -> switching.add("asleep: " + line));
        for (String key : List.of("median", "p99")) {
            Measurements measured = paired.measurements();
            rows.add(Row.of("asleep " + key, "us", 1e-3, measured.of(Side.JDK, key), measured.of(Side.EARLIER, key),
                    measured.of(Side.JFS, key)));
        }
    }

    private void connect() throws ChildFailure, InterruptedException {
        Connections connections = new Connections(installation, SIDES);
        connections.run(CALLS, forks, TURNS, progress);
        for (int calls : CALLS) {
            String what = "connect " + calls + (calls == 1 ? " call" : " calls");
            rows.add(Row.ofSides(what, "us", 1e6, connections.of(calls, Connections.Figure.TIME)));
            rows.add(Row.ofSides(what + " CPU", "us", 1e6, connections.of(calls, Connections.Figure.PROCESSOR)));
            rows.add(Row.ofSides(what + " garbage of client", "B", 1, connections.of(calls, Connections.Figure.CLIENT)));
            rows.add(Row.ofSides(what + " garbage of server", "B", 1, connections.of(calls, Connections.Figure.SERVER)));
        }
    }

    private void crowd() throws ChildFailure, InterruptedException {
        Crowds crowds = new Crowds(installation, surroundings, SIDES, new Crowds.Manner(Threads.PLATFORM, 1, BYTES));
        for (Crowds.Crowd crowd : CROWDS) {
            for (int fork = 1; fork <= forks; fork++) {
                String title = String.format("%s connections, fork %d of %d", crowd, fork, forks);
                progress.now(title);
                crowds.fork(crowd, TURNS, SECONDS, false);
                progress.done(title);
            }
            rows.add(Row.of("crowd " + crowd, "us", 1e6, crowds.of(crowd, Crowds.ROUND)));
            rows.add(Row.of("crowd " + crowd + " CPU", "us", 1e6, crowds.of(crowd, Crowds.PROCESSOR)));
        }
        BUILDS.forEach(side -> switching.add("crowd: " + crowds.switching(side).strip()));
    }

    /** The figures of this kind are costs too: microseconds from one round trip to the next, of all pairs. */
    private void first() throws ChildFailure, InterruptedException {
        FirstRuns runs = new FirstRuns(installation, surroundings, BYTES);
        for (Side side : SIDES) {
            runs.run(side, 1, FIRST_SECONDS / 10); // the first start reads files that are not in memory yet
        }
        for (int pairs : PAIRS) {
            Map<Side, double[]> times = new EnumMap<>(Side.class);
            SIDES.forEach(side -> times.put(side, new double[forks]));
            Map<Side, Long> fast = new EnumMap<>(Side.class);
            for (int fork = 0; fork < forks; fork++) {
                for (Side side : Turns.order(SIDES, fork)) {
                    progress.now(String.format("%s, fork %d of %d  %s", FirstSeconds.title(pairs), fork + 1, forks, side));
                    FirstRuns.Result result = runs.run(side, pairs, FIRST_SECONDS);
                    times.get(side)[fork] = FIRST_SECONDS / result.run().curve().at(FIRST_SECONDS);
                    fast.merge(side, result.fast(), Long::sum);
                }
            }
            progress.done(FirstSeconds.title(pairs));
            for (Side side : BUILDS) {
                switching.add(String.format("first, %s: %d of %d %s connections were fast in the end.", FirstSeconds.title(pairs),
                        fast.get(side), forks * pairs, side));
            }
            rows.add(Row.of("first " + (int) FIRST_SECONDS + " s, " + FirstSeconds.title(pairs), "us", 1e6, times.get(Side.JDK),
                    times.get(Side.EARLIER), times.get(Side.JFS)));
        }
    }

    private void publish(String name) {
        Plot plot = new Plot("Costs of this build to those of " + name, "cost", "this build's cost to the other one's",
                "The grey line is the same cost. Where the ratio is less than 1, this build is better.");
        plot.mark(1);
        Table table = new Table("", "", "JDK", name, "this build", "this/" + name, "interval", "");
        for (Row row : rows) {
            plot.add("this build", Product.JFS, row.what, row.ratio, 1);
            table.add(row.what, row.unit, Table.number(row.jdk), Table.number(row.before), Table.number(row.after),
                    Table.number(row.ratio.median()), row.ratio.interval(), row.verdict());
        }
        Report report = new Report("compare", "This build of JFS beside " + name,
                "Both builds take turns with each other and with the JDK's sockets. Each figure is a cost: time, processor time or bytes.",
                Report.forks(forks));
        report.plot(plot);
        report.table(table);
        report.line("(costs of a message one way, a request, a connection, a round trip; better, worse: an interval of 95 % leaves 1 out)");
        report.line(Measurements.legend(forks, "ratios"));
        report.line("");
        if (!switching.isEmpty()) { // the measurement of short connections doesn't count switched connections
            switching.forEach(report::line);
            report.line("");
        }
        report.line("Costs to those of " + name + ", " + Report.forks(forks) + ": "
                + rows.stream().map(Row::summary).collect(Collectors.joining(", ")));
        pages.publish(report, installation);
    }
}
