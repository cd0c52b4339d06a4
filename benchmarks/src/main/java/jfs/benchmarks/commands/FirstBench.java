package jfs.benchmarks.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import jfs.benchmarks.measurements.FirstRuns;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Surroundings;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.results.FirstSeconds;
import jfs.benchmarks.statistics.Measurements;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures programs that have just started. */
@Command(
        name = "first",
        mixinStandardHelpOptions = true,
        description = "What a program sees in its first seconds: round trips from the first request on, between two JVMs that have just "
                + "started, a thread for each end.")
final class FirstBench implements Callable<Integer> {
    private static final double SECONDS_MIN = 0.1; // one step of the curve
    private static final double SECONDS_MAX = 60;

    @Spec
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Mixin
    private Surroundings surroundings;

    @Mixin
    private Pages pages;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "7",
            description = "Fresh JVMs for each side and number of pairs (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--pairs", split = ",", paramLabel = "N", defaultValue = "1,8",
            description = "Connections, all of which talk (default: ${DEFAULT-VALUE}).")
    private List<Integer> pairs;

    @Option(
            names = "--seconds", paramLabel = "S", defaultValue = "3",
            description = "From the first request on (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--bytes", paramLabel = "N", defaultValue = "64", description = "Of a request (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(
            names = "--out", paramLabel = "DIR",
            description = "Folder for the curves as first-N.png, N pairs each (default: no file is written).")
    private Path out;

    private long fast;
    private long shouldBeFast;

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        installation.check();
        OptionValues.check(spec, "--seconds", seconds, seconds >= SECONDS_MIN && seconds <= SECONDS_MAX,
                "at least " + SECONDS_MIN + " and at most " + SECONDS_MAX);
        if (out != null) {
            Files.createDirectories(out);
        }
        FirstSeconds measured = new FirstSeconds(seconds);
        FirstRuns runs = new FirstRuns(installation, surroundings, bytes);
        Progress progress = new Progress(System.err);
        try (Surroundings.Loops loops = surroundings.begin()) {
            progress.now("reading files");
            for (Side side : FirstSeconds.SIDES) {
                runs.run(side, 1, SECONDS_MIN); // the first start reads files that are not in memory yet
            }
            for (int each : pairs.stream().distinct().toList()) {
                for (int fork = 1; fork <= forks; fork++) {
                    fork(measured, runs, each, fork, progress);
                }
            }
        }
        if (out != null) {
            progress.now("drawing");
            for (int each : measured.pairs()) {
                measured.plot(each).save(out.resolve("first-" + each + ".png"));
            }
            progress.done("Wrote the curves into " + out + ".");
        }
        pages.publish(report(measured), installation);
        return 0;
    }

    /** Every other fork begins with the other side, so that a drift within a fork favours neither side. */
    private void fork(FirstSeconds measured, FirstRuns runs, int pairs, int fork, Progress progress)
            throws ChildFailure, InterruptedException {
        String title = String.format("%s, fork %d of %d", FirstSeconds.title(pairs), fork, forks);
        List<Side> order = new ArrayList<>(FirstSeconds.SIDES);
        if (fork % 2 == 0) {
            Collections.reverse(order);
        }
        for (Side side : order) {
            progress.now(title + "  " + side);
            FirstRuns.Result result = runs.run(side, pairs, seconds);
            measured.add(pairs, side, result.run());
            if (side.fast()) {
                fast += result.fast();
                shouldBeFast += pairs;
            }
        }
        progress.done(title);
    }

    private Report report(FirstSeconds measured) {
        Report report = new Report("first", "The first seconds of two programs: JFS beside the JDK's sockets",
                "Two JVMs have just started. Requests go there and back from the first one on, over one or several connections.",
                Report.forks(forks));
        measured.pairs().forEach(each -> report.plot(measured.plot(each)));
        report.table(measured.curves());
        report.line("(thousand round trips a second, of all pairs, in the step that ends then)");
        report.line("");
        report.table(measured.sums());
        report.line("(thousand round trips from the first request on; CPU: of a round trip, both processes, over the whole time)");
        report.line(Measurements.legend(forks, "ratios"));
        report.line("");
        report.goals(measured.goals(surroundings.isQuiet()));
        report.line(String.format("%d of %d JFS connections were fast in the end%s.", fast, shouldBeFast,
                fast == shouldBeFast ? "" : "; the others ran over plain TCP"));
        return report;
    }
}
