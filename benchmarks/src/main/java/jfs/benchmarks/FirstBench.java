package jfs.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
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
    private static final String LOOPBACK = "127.0.0.1";
    private static final double SECONDS_MIN = 0.1; // a step
    private static final double SECONDS_MAX = 60;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Pattern BEGUN = Pattern.compile("^begun$");
    private static final Pattern RESULT = Pattern.compile("^result (.*)$");

    @Spec
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Mixin
    private Surroundings surroundings;

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

    @Option(names = "--out", paramLabel = "DIR", description = "Folder for the curve, first.png (default: none is drawn).")
    private Path out;

    private long fast;
    private long shouldBeFast;

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        installation.check();
        OptionValues.check(spec, "--forks", forks, forks >= 1, "1 or more");
        for (int each : pairs) {
            OptionValues.check(spec, "--pairs", each, each >= 1, "1 or more");
        }
        OptionValues.check(spec, "--seconds", seconds, seconds >= SECONDS_MIN && seconds <= SECONDS_MAX,
                "at least " + SECONDS_MIN + " and at most " + SECONDS_MAX);
        OptionValues.check(spec, "--bytes", bytes, bytes >= 1, "1 or more");
        if (out != null) {
            Files.createDirectories(out);
        }
        FirstSeconds measured = new FirstSeconds(seconds);
        Progress progress = new Progress(System.err);
        try (Surroundings.Loops loops = surroundings.begin()) {
            progress.now("reading files");
            for (Side side : FirstSeconds.SIDES) {
                run(side, 1, SECONDS_MIN); // the first start reads files that are not in memory yet
            }
            fast = 0;
            shouldBeFast = 0;
            for (int each : pairs.stream().distinct().toList()) {
                for (int fork = 1; fork <= forks; fork++) {
                    fork(measured, each, fork, progress);
                }
            }
        }
        print(measured);
        if (out != null) {
            progress.now("drawing");
            Plots.firstSeconds(measured, out.resolve("first.png"));
            progress.done("Wrote " + out.resolve("first.png") + ".");
        }
        return 0;
    }

    /** Every other fork begins with the other side, so that a drift within a fork favours none. */
    private void fork(FirstSeconds measured, int pairs, int fork, Progress progress) throws ChildFailure, InterruptedException {
        String title = String.format("%s, fork %d of %d", FirstSeconds.title(pairs), fork, forks);
        List<Side> order = new ArrayList<>(FirstSeconds.SIDES);
        if (fork % 2 == 0) {
            Collections.reverse(order);
        }
        for (Side side : order) {
            progress.now(title + "  " + side);
            measured.add(pairs, side, run(side, pairs, seconds));
        }
        progress.done(title);
    }

    /** Two new JVMs. */
    private FirstSeconds.Run run(Side side, int pairs, double seconds) throws ChildFailure, InterruptedException {
        String size = Integer.toString(bytes);
        List<String> server = command(side.server(), List.of("workloads.startup.EchoServer", LOOPBACK, "0", size));
        try (Child serving = Child.start("the server over " + side, server, line -> {})) {
            String port = serving.awaitLine(Players.PORT, LIMIT).group(1);
            List<String> client = command(side.client(), List.of("workloads.startup.FirstRequests", LOOPBACK, port,
                    Integer.toString(pairs), size, Double.toString(seconds)));
            try (Child asking = Child.start("the client over " + side, client, line -> {})) {
                try {
                    asking.awaitLine(BEGUN, LIMIT);
                    double before = serving.processorSeconds() + asking.processorSeconds();
                    String result = asking.awaitLine(RESULT, LIMIT.plusMillis((long) (seconds * 1000))).group(1);
                    double processor = serving.processorSeconds() + asking.processorSeconds() - before;
                    asking.hangUp();
                    List<String> output = asking.awaitSuccess(LIMIT);
                    if (side.fast()) {
                        fast += SwitchLog.fast(output);
                        shouldBeFast += pairs;
                    }
                    return new FirstSeconds.Run(Curve.parse(result), processor);
                } catch (ChildFailure failure) {
                    throw new ChildFailure(failure.getMessage() + serving.tail());
                }
            }
        }
    }

    /** JFS only sums up in the end: lines of its log for each connection would be part of what is measured. */
    private List<String> command(Side.Start start, List<String> program) {
        return surroundings.confine(installation.java(start, Workload.programs(), program, "fallback"));
    }

    private void print(FirstSeconds measured) {
        PrintWriter text = spec.commandLine().getOut();
        text.println();
        text.print(measured.curves());
        text.println("(thousand round trips a second, of all pairs, in the step that ends then)");
        text.println();
        text.print(measured.sums());
        text.println("(thousand round trips from the first request on; CPU: of a round trip, both processes, over the whole time)");
        text.println(Measurements.legend(forks, "ratios"));
        text.println();
        measured.goals(surroundings.isQuiet()).forEach(text::println);
        text.printf("%d of %d JFS connections were fast in the end%s.%n", fast, shouldBeFast,
                fast == shouldBeFast ? "" : "; the others ran over plain TCP");
        text.flush();
    }
}
