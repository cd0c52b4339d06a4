package jfs.benchmarks.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import jfs.benchmarks.measurements.Crowds;
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
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import workloads.many.Threads;

/** Measures more conversations than there are cores. */
@Command(
        name = "crowd",
        mixinStandardHelpOptions = true,
        description = "Many connections between two JVMs, of which some or all talk at once: rate, CPU, latency.")
final class CrowdBench implements Callable<Integer> {
    private static final List<Side> SIDES = List.of(Side.JDK, Side.JFS);
    private static final String JDK = Side.JDK.toString();
    private static final String JFS = Side.JFS.toString();
    private static final int VIRTUAL_SINCE = 21;
    private static final double SECONDS_MAX = 20; // a turn must end before the time limit of Players

    @Spec
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Mixin
    private Surroundings surroundings;

    @Mixin
    private Pages pages;

    @Option(
            names = "--crowds", split = ",", paramLabel = "CONNECTIONS[:TALKING]",
            defaultValue = "1,2,8,32,64,1000:100,5000:500",
            description = "How many connections, and how many of these talk; all if that is not given (default: ${DEFAULT-VALUE}).")
    private List<String> crowds;

    @Option(
            names = "--threads", paramLabel = "KIND", defaultValue = "platform",
            description = {
                "By which threads the connections are served (default: ${DEFAULT-VALUE}):",
                "platform  a thread for each end",
                "pool      at the server twice as many threads as processors take turns with all connections, a request at a time; a "
                        + "silent connection takes one for a millisecond. The client has a thread for each connection",
                "virtual   a virtual thread for each end: JDK 21 and later, see --java"
            })
    private Threads threads;

    @Option(
            names = "--pairs-of-jvms", paramLabel = "N", defaultValue = "1",
            description = "So many pairs at once, each with so many connections (default: ${DEFAULT-VALUE}).")
    private int pairs;

    @Option(names = "--bytes", paramLabel = "N", defaultValue = "64", description = "Of a request (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "3",
            description = "Fresh JVMs for each side and crowd (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--turns", paramLabel = "N", defaultValue = "5",
            description = "For each crowd and fork (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "1", description = "Of a turn (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Override
    public Integer call() throws ChildFailure, InterruptedException {
        installation.check();
        installation.checkFile("--floor", installation.floor().folder().resolve("crowd"));
        if (threads == Threads.VIRTUAL) {
            installation.checkVersion("--threads: virtual threads", VIRTUAL_SINCE);
        }
        OptionValues.check(spec, "--seconds", seconds, seconds > 0 && seconds <= SECONDS_MAX, "more than 0 and at most " + SECONDS_MAX);
        List<Crowds.Crowd> all = crowds.stream().map(this::crowd).distinct().toList();
        Crowds measured = new Crowds(installation, surroundings, SIDES, new Crowds.Manner(threads, pairs, bytes));
        Progress progress = new Progress(System.err);
        try (Surroundings.Loops loops = surroundings.begin()) {
            for (Crowds.Crowd crowd : all) {
                for (int fork = 1; fork <= forks; fork++) {
                    String title = String.format("%s connections, fork %d of %d", crowd, fork, forks);
                    progress.now(title);
                    measured.fork(crowd, turns, seconds, true);
                    progress.done(title);
                }
            }
        }
        publish(measured, all);
        return 0;
    }

    private Crowds.Crowd crowd(String text) {
        String[] numbers = text.split(":", -1);
        try {
            int connections = Integer.parseInt(numbers[0]);
            int talking = numbers.length == 1 ? connections : Integer.parseInt(numbers[1]);
            if (numbers.length <= 2 && talking >= 1 && talking <= connections) {
                return new Crowds.Crowd(connections, talking);
            }
        } catch (NumberFormatException e) {
            // Reported by the exception below.
        }
        throw new ParameterException(spec.commandLine(), "--crowds: " + text
                + " is not CONNECTIONS or CONNECTIONS:TALKING, with 1 or more talking and no more than there are connections");
    }

    private void publish(Crowds measured, List<Crowds.Crowd> all) {
        Table table = new Table("connections", "", "1000/s", "to JDK", "interval", "CPU us", "to JDK", "interval", "p50 us", "p99 us",
                "p99.9 us");
        List<Goal> goals = new ArrayList<>();
        for (Crowds.Crowd crowd : all) {
            for (String who : List.of(JDK, JFS, Crowds.FLOOR)) {
                row(table, measured, crowd, who);
            }
            goals.addAll(goals(measured, crowd));
        }
        Report report = new Report("crowd", "Many connections at once: JFS beside the JDK's sockets",
                "Two JVMs have many connections. On some or all of them a thread sends a request, and the next one when the answer has"
                        + " come. The sides take turns.", Report.forks(forks));
        plots(measured, all).forEach(report::plot);
        report.table(table);
        report.line("(requests of all connections; CPU: of a request, both ends; floor: a pair of threads for each that talks, 64 bytes)");
        if (pairs > 1) {
            report.line(String.format("(%d pairs of JVMs at once, each with these connections: requests of all of them, latencies of the"
                    + " middle one; floor: one pair of processes)", pairs));
        }
        report.line(Turns.legend(forks, turns));
        report.line("");
        report.goals(goals);
        report.lines(measured.switching(Side.JFS));
        pages.publish(report, installation);
    }

    private static List<Plot> plots(Crowds measured, List<Crowds.Crowd> all) {
        String connections = "connections, or connections:those that talk";
        Plot rates = new Plot("Requests of all connections", connections, "thousand a second", "Higher is faster.");
        Plot processor = new Plot("Processor time of a request, both ends", connections, "microseconds", "Lower is better.");
        Plot latency = new Plot("Time from a request to its answer", connections, "microseconds",
                "Lower is faster. Of 100 requests 50 take no longer than p50, and 99 take no longer than p99.");
        for (Crowds.Crowd crowd : all) {
            for (String who : List.of(JDK, JFS, Crowds.FLOOR)) {
                Product product = who.equals(JDK) ? Product.JDK : who.equals(JFS) ? Product.JFS : Product.FLOOR;
                rates.add(who, product, crowd.toString(), measured.of(crowd, Crowds.ROUND).estimate(who).inverse(), 1e-3);
                processor.add(who, product, crowd.toString(), measured.of(crowd, Crowds.PROCESSOR).estimate(who), 1e6);
                if (product != Product.FLOOR) {
                    for (String percentile : List.of("p50", "p99")) {
                        latency.add(who + " " + percentile, product, crowd.toString(), measured.of(crowd, percentile).estimate(who), 1e6);
                    }
                }
            }
        }
        return List.of(rates, processor, latency);
    }

    private void row(Table table, Crowds measured, Crowds.Crowd crowd, String who) {
        Statistics.Estimate rate = measured.of(crowd, Crowds.ROUND).ratio(JDK, who);
        Statistics.Estimate cpu = measured.of(crowd, Crowds.PROCESSOR).ratio(who, JDK);
        double round = measured.of(crowd, Crowds.ROUND).median(who);
        List<String> cells = new ArrayList<>(List.of(crowd.toString(), who, Table.number(1e-3 / round)));
        cells.addAll(who.equals(JDK) ? List.of("", "") : List.of(Table.number(rate.median()), rate.interval()));
        cells.add(measured.of(crowd, Crowds.PROCESSOR).micros(who));
        cells.addAll(who.equals(JDK) ? List.of("", "") : List.of(Table.number(cpu.median()), cpu.interval()));
        for (String percentile : Crowds.PERCENTILES) {
            cells.add(who.equals(Crowds.FLOOR) ? "" : measured.of(crowd, percentile).micros(who));
        }
        table.add(cells.toArray(String[]::new));
    }

    private List<Goal> goals(Crowds measured, Crowds.Crowd crowd) {
        double rate = measured.of(crowd, Crowds.ROUND).ratio(JDK, JFS).median();
        double cpu = measured.of(crowd, Crowds.PROCESSOR).ratio(JFS, JDK).median();
        String rates = crowd + " connections: requests a second to the JDK's";
        String cpus = crowd + " connections: CPU of a request";
        if (!surroundings.isQuiet() || crowd.allTalk() && crowd.isAlone() && pairs == 1) {
            return List.of(Goal.atLeast(surroundings.leastGain(crowd.isAlone()), rates, rate));
        }
        if (!crowd.allTalk()) {
            return List.of(Goal.atLeast(1.2, rates, rate), Goal.atMost(0.9, cpus, cpu));
        }
        double late = measured.of(crowd, "p99").ratio(JFS, JDK).median();
        return List.of(Goal.atLeast(3, rates, rate), Goal.atMost(0.4, cpus, cpu),
                Goal.atMost(1, crowd + " connections: 99th percentile", late));
    }
}
