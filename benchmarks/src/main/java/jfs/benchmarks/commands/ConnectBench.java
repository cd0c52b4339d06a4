package jfs.benchmarks.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import jfs.benchmarks.measurements.Connections;
import jfs.benchmarks.measurements.Endurance;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the cost of short connections. */
@Command(
        name = "connect",
        mixinStandardHelpOptions = true,
        description = {
            "Connect, so many calls of one byte, close: rate, processor time of both ends, garbage of each.",
            "With --rate: one such connection after the other for a time, and what has grown in both processes by then."
        })
final class ConnectBench implements Callable<Integer> {
    /** The goal: most bytes of garbage above the JDK's, for each end of a connection that is too short to be offered. */
    private static final double GARBAGE_MORE = 200;
    private static final int OFFERED_FROM = 400;
    private static final List<Side> SIDES = List.of(Side.JDK, Side.JFS);

    @Spec
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Mixin
    private Pages pages;

    @Option(
            names = "--calls", split = ",", paramLabel = "N", defaultValue = "1,2,5,20,100,410,1000",
            description = "Default: ${DEFAULT-VALUE}; with --rate 1.")
    private List<Integer> calls;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "11",
            description = "Fresh JVMs for each side (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--turns", paramLabel = "N", defaultValue = "9",
            description = "For each number of calls and fork (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(names = "--rate", paramLabel = "N", description = "Connections a second, or as many as the machine can if those are fewer.")
    private Double rate;

    @Option(
            names = "--seconds", paramLabel = "S", defaultValue = "60",
            description = "With --rate: for how long (default: ${DEFAULT-VALUE}).")
    private int seconds;

    private final Progress progress = new Progress(System.err);

    @Override
    public Integer call() throws ChildFailure, InterruptedException {
        installation.check();
        if (rate == null) {
            compare();
        } else {
            endure();
        }
        return 0;
    }

    private boolean given(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private void refuse(String when, String... options) {
        for (String option : options) {
            if (given(option)) {
                throw new ParameterException(spec.commandLine(), option + ": has no meaning " + when);
            }
        }
    }

    private void endure() throws ChildFailure, InterruptedException {
        refuse("with --rate", "--forks", "--turns");
        boolean given = given("--calls");
        if (given && calls.size() > 1) {
            throw new ParameterException(spec.commandLine(), "--calls: with --rate it is one number");
        }
        OptionValues.check(spec, "--rate", rate, rate > 0, "more than 0");
        Endurance endurance = new Endurance();
        endurance.run(installation, given ? calls.get(0) : 1, rate, seconds, progress);
        Report report = new Report("connect", "What connections leave behind: JFS beside the JDK's sockets",
                "One short connection after the other is made and closed, for a time. Both processes are looked at before and after.",
                "one run of each side, " + seconds + " s");
        report.plot(endurance.plot());
        report.table(endurance.table());
        report.line("(before and after, each after a collection; resident: grows by native memory only, for the heap is all there from "
                + "the beginning)");
        report.line("");
        report.lines(endurance.verdict());
        pages.publish(report, installation);
    }

    private void compare() throws ChildFailure, InterruptedException {
        refuse("without --rate", "--seconds");
        Connections connections = new Connections(installation, SIDES);
        connections.run(calls, forks, turns, progress);
        List<Goal> goals = new ArrayList<>();
        Table table = new Table("calls", "JDK us", "JFS us", "rate to JDK", "interval", "JDK CPU us", "JFS CPU us", "CPU to JDK",
                "interval");
        Table garbage = new Table("calls", "client: JDK B", "JFS B", "more", "interval", "server: JDK B", "JFS B", "more", "interval");
        Plot time = new Plot("From one connect to the next", "calls in a connection", "microseconds", "Lower is faster.");
        Plot cpu = new Plot("Processor time of a connection, both ends", "calls in a connection", "microseconds", "Lower is better.");
        Plot more = new Plot("Garbage of a connection above the JDK's", "calls in a connection", "bytes",
                "Lower is better. The grey line is as much garbage as the JDK's sockets make.");
        more.mark(0);
        for (int each : calls) {
            Turns<Side> times = connections.of(each, Connections.Figure.TIME);
            Turns<Side> processors = connections.of(each, Connections.Figure.PROCESSOR);
            Turns<Side> client = connections.of(each, Connections.Figure.CLIENT);
            Turns<Side> server = connections.of(each, Connections.Figure.SERVER);
            Statistics.Estimate rates = times.ratio(Side.JDK, Side.JFS);
            Statistics.Estimate cost = processors.ratio(Side.JFS, Side.JDK);
            table.add(Integer.toString(each), times.micros(Side.JDK), times.micros(Side.JFS), Table.number(rates.median()),
                    rates.interval(), processors.micros(Side.JDK), processors.micros(Side.JFS), Table.number(cost.median()),
                    cost.interval());
            Statistics.Estimate atClient = client.difference(Side.JFS, Side.JDK);
            Statistics.Estimate atServer = server.difference(Side.JFS, Side.JDK);
            garbage.add(Integer.toString(each), Table.number(client.median(Side.JDK)), Table.number(client.median(Side.JFS)),
                    Table.number(atClient.median()), atClient.interval(), Table.number(server.median(Side.JDK)),
                    Table.number(server.median(Side.JFS)), Table.number(atServer.median()), atServer.interval());
            for (Side side : SIDES) {
                Product product = side == Side.JDK ? Product.JDK : Product.JFS;
                time.add(side.toString(), product, Integer.toString(each), times.estimate(side), 1e6);
                cpu.add(side.toString(), product, Integer.toString(each), processors.estimate(side), 1e6);
            }
            more.add("JFS, client", Product.JFS, Integer.toString(each), atClient, 1);
            more.add("JFS, server", Product.AGENT, Integer.toString(each), atServer, 1);
            goals.add(Goal.atLeast(1, each + " calls: connections a second to the JDK's", rates.median()));
            goals.add(Goal.atMost(1.1, each + " calls: CPU of both ends to the JDK's", cost.median()));
            if (each < OFFERED_FROM) {
                goals.add(Goal.noMoreBytes(GARBAGE_MORE, each + " calls: client's garbage above the JDK's", atClient.median()));
                goals.add(Goal.noMoreBytes(GARBAGE_MORE, each + " calls: server's garbage above the JDK's", atServer.median()));
            }
        }
        Report report = new Report("connect", "Short connections: JFS beside the JDK's sockets",
                "A client connects, makes some calls of one byte, and closes, again and again. The sides take turns.", Report.forks(forks));
        List.of(time, cpu, more).forEach(report::plot);
        report.table(table);
        report.line("");
        report.table(garbage);
        report.line("(garbage: bytes that all threads of a process have allocated for a connection)");
        report.line(Turns.legend(forks, turns));
        report.line("");
        report.goals(goals);
        pages.publish(report, installation);
    }
}
