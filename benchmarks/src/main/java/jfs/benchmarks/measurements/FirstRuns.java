package jfs.benchmarks.measurements;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import jfs.benchmarks.processes.Child;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.processes.Surroundings;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.results.Curve;
import jfs.benchmarks.results.FirstSeconds;

/** Runs a program for its first seconds, each time in two new JVMs. */
public final class FirstRuns {
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Pattern BEGUN = Pattern.compile("^begun$");
    private static final Pattern RESULT = Pattern.compile("^result (.*)$");

    private final Installation installation;
    private final Surroundings surroundings;
    private final String bytes;

    /** @param bytes the size of a request */
    public FirstRuns(Installation installation, Surroundings surroundings, int bytes) {
        this.installation = installation;
        this.surroundings = surroundings;
        this.bytes = Integer.toString(bytes);
    }

    /** @param fast how many connections were fast in the end */
    public record Result(FirstSeconds.Run run, long fast) {}

    public Result run(Side side, int pairs, double seconds) throws ChildFailure, InterruptedException {
        List<String> server = command(side.server(), List.of("workloads.startup.EchoServer", LOOPBACK, "0", bytes));
        try (Child serving = Child.start("the server over " + side, server, line -> {})) {
            String port = serving.awaitLine(Players.PORT, LIMIT).group(1);
            List<String> client = command(side.client(), List.of("workloads.startup.FirstRequests", LOOPBACK, port,
                    Integer.toString(pairs), bytes, Double.toString(seconds)));
            try (Child asking = Child.start("the client over " + side, client, line -> {})) {
                try {
                    asking.awaitLine(BEGUN, LIMIT);
                    double before = serving.processorSeconds() + asking.processorSeconds();
                    String result = asking.awaitLine(RESULT, LIMIT.plusMillis((long) (seconds * 1000))).group(1);
                    double processor = serving.processorSeconds() + asking.processorSeconds() - before;
                    asking.hangUp();
                    List<String> output = asking.awaitSuccess(LIMIT);
                    return new Result(new FirstSeconds.Run(Curve.parse(result), processor), SwitchLog.fast(output));
                } catch (ChildFailure failure) {
                    throw new ChildFailure(failure.getMessage() + serving.tail());
                }
            }
        }
    }

    /** JFS only logs a summary at the end. Log lines for each connection would be part of what is measured. */
    private List<String> command(Side.Start start, List<String> program) {
        return surroundings.confine(installation.java(start, Workload.programs(), program, "fallback"));
    }
}
