package jfs.benchmarks.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.benchmarks.measurements.IdleConnections;
import jfs.benchmarks.measurements.ProgramRuns;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Surroundings;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.NetworkProgram;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.results.IdleTimes;
import jfs.benchmarks.results.ProgramTimes;
import jfs.benchmarks.statistics.Goal;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the commands that measure network programs, and what these commands do. */
final class ProgramOptions {
    private static final int WARM_UP_MAX = 60;
    private static final double COLD_MAX = 30; // a turn must end before the time limit of Players
    private static final double SECONDS_MAX = 20;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Mixin
    private Surroundings surroundings;

    @Mixin
    private Pages pages;

    @Option(
            names = "--libraries", required = true, paramLabel = "DIR",
            description = "Folder of the programs' jars.")
    private Path libraries;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "2",
            description = "Fresh JVMs for each side and operation (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
            names = "--turns", paramLabel = "N", defaultValue = "7",
            description = "Warm, for each side, operation and fork (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "0.4", description = "Of a turn (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--cold-seconds", paramLabel = "S", defaultValue = "3",
            description = "From the first request on that count as cold (default: ${DEFAULT-VALUE}).")
    private double coldSeconds;

    @Option(
            names = "--warm-up", paramLabel = "S",
            description = "The least time to warm up, seconds (default: 10 for programs over channels, else none).")
    private Integer leastWarmUp;

    /** Options of which at most one may be given. They are no part of the mixin, or picocli's help would list them twice. */
    static final class Only {
        @Option(names = "--cold-only", description = "Measures no warm JVMs.")
        private boolean cold;

        @Option(names = "--warm-only", description = "Measures no cold JVMs.")
        private boolean warm;
    }

    @Option(
            names = "--out", paramLabel = "DIR",
            description = "Folder for the results, as .csv and .png files with the command's name (default: none are written).")
    private Path out;

    /**
     * The programs of these names, each once.
     *
     * @param names the name of a program, or {@code program:operation}
     * @param others names that the option has too
     */
    List<NetworkProgram> choose(String option, List<String> names, List<NetworkProgram> all, List<String> others) {
        List<NetworkProgram> chosen = new ArrayList<>();
        for (String name : names) {
            List<NetworkProgram> found = all.stream()
                    .filter(each -> name.equals(each.program()) || name.equals(each.program() + ":" + each.operation()))
                    .toList();
            if (found.isEmpty()) {
                throw new ParameterException(spec.commandLine(), option + ": " + name + " is none of "
                        + Stream.of(NetworkProgram.names(all), others).flatMap(List::stream).collect(Collectors.joining(", "))
                        + ", and no operation of theirs");
            }
            chosen.addAll(found);
        }
        return chosen.stream().distinct().toList();
    }

    /** An empty report with the command's name. */
    Report report(String title, String sentence) {
        return new Report(spec.name(), title, sentence, Report.forks(forks));
    }

    /** Prints the rest of the report and writes its page. */
    void publish(Report report) {
        pages.publish(report, installation);
    }

    /**
     * Measures these programs, adds what was found to the report, and prints it.
     *
     * @param eachEnd whether to print the processor time of each end, and how many connections were fast
     */
    int run(List<NetworkProgram> chosen, Only only, boolean eachEnd, Report report)
            throws ChildFailure, InterruptedException, IOException {
        check();
        installation.checkFile("--libraries", libraries);
        OptionValues.check(spec, "--cold-seconds", coldSeconds, coldSeconds > 0 && coldSeconds <= COLD_MAX,
                "more than 0 and at most " + COLD_MAX);
        OptionValues.check(spec, "--warm-up", leastWarmUp, leastWarmUp == null || leastWarmUp <= WARM_UP_MAX, "at most " + WARM_UP_MAX);
        ProgramRuns.Plan plan = new ProgramRuns.Plan(
                forks, only.cold ? 0 : turns, seconds, only.warm ? 0 : coldSeconds,
                leastWarmUp == null ? OptionalInt.empty() : OptionalInt.of(leastWarmUp));
        ProgramRuns runs = new ProgramRuns(installation, surroundings, libraries, plan);
        Progress progress = new Progress(System.err);
        Path csv = null;
        if (out != null) {
            Files.createDirectories(out);
            csv = out.resolve(spec.name() + ".csv");
        }
        runs.run(chosen, csv, progress);
        List<Plot> plots = runs.times().plots();
        if (out != null && !runs.times().measured().isEmpty()) {
            plots.get(0).save(out.resolve(spec.name() + ".png"));
            plots.get(1).save(out.resolve(spec.name() + "-cpu.png"));
            progress.done("Wrote " + csv + ", and beside it " + spec.name() + ".png and " + spec.name() + "-cpu.png.");
        }
        plots.forEach(report::plot);
        add(report, plan, runs, eachEnd);
        pages.show(report);
        return runs.failures().isEmpty() ? 0 : 1;
    }

    /** Throws an exception about an option that both {@link #run} and {@link #runIdle} have. */
    void check() {
        installation.check();
        OptionValues.check(spec, "--seconds", seconds, seconds > 0 && seconds <= SECONDS_MAX, "more than 0 and at most " + SECONDS_MAX);
    }

    /**
     * Measures what idle connections cost a selector, and adds what was found to the report. The forks, the turns and their seconds are
     * those of warm programs. The caller has called {@link #check}.
     */
    void runIdle(int connections, double idleSeconds, Report report)
            throws ChildFailure, InterruptedException, IOException {
        Progress progress = new Progress(System.err);
        IdleConnections.Plan plan = new IdleConnections.Plan(connections, forks, turns, seconds, idleSeconds);
        IdleTimes times = new IdleConnections(installation, surroundings, plan).run(progress);
        if (out != null) {
            Files.createDirectories(out);
            Path csv = out.resolve(spec.name() + "-idle.csv");
            Path png = out.resolve(spec.name() + "-idle.png");
            Files.writeString(csv, times.csv());
            times.plot().save(png);
            progress.done("Wrote " + csv + " and " + png + ".");
        }
        report.heading("Idle connections");
        report.plot(times.plot());
        for (Table table : List.of(times.conversations(), times.costs(), times.memory())) {
            report.table(table);
            report.line("");
        }
        report.line(String.format("""
                (64 bytes there and back on one connection, whose selectors have the idle connections too, or none; CPU: of both
                 processes; to none idle: with the idle connections to without them; all idle: %s s in which no connection is used,
                 in percent of one core; the lowest table: what a process holds more, for each idle connection, after a collection;
                 forks: %d; ratios: medians of the ratios turn by turn, with the interval of the median of all turns)""",
                Table.number(idleSeconds), forks));
        report.line("");
        report.goals(times.goals());
        report.line("");
        report.line("What JFS says of the clients' connections:");
        report.lines(times.switching());
    }

    private void add(Report report, ProgramRuns.Plan plan, ProgramRuns runs, boolean eachEnd) {
        ProgramTimes times = runs.times();
        List<Table> tables = new ArrayList<>();
        for (ProgramTimes.State state : ProgramTimes.State.values()) {
            if (times.has(state)) {
                tables.add(times.table(state));
                if (eachEnd) {
                    tables.add(times.ends(state));
                }
            }
        }
        if (eachEnd) {
            times.ceilings().ifPresent(tables::add);
        }
        for (Table table : tables) {
            report.table(table);
            report.line("");
        }
        report.line(String.format("""
                (time and processor time of an operation, the latter of both processes; of several threads: from one's end to the
                 next one's; cold: the first %s s from the first request on, one turn a fork; warm: once the compilers are quiet,
                 %d turns a fork; %s: medians of these and of their paired ratios, with the interval of the median of all turns;
                 a ratio is the median of the ratios turn by turn, so it may differ from that of the two medians beside it)""",
                Table.number(coldSeconds), turns, plan));
        if (eachEnd) {
            report.line("""
                    (fast: how many of the client's connections had a fast path, by JFS's summary; of several forks least and most)
                    (pipes: the same client and server in one JVM over pipes in its memory; ceiling: their rate, times the JDK's;
                     of ceiling: how much of that rate JFS reaches; from 80 % on what is left is the program's own work)""");
        }
        report.line("");
        List<Goal> goals = times.goals();
        List<Goal> missed = goals.stream().filter(goal -> !goal.met()).toList();
        report.goals(missed);
        report.line(String.format("%d of %d goals met (warm: rate >= %s x, CPU <= %s x; cold: rate >= %s x%s)",
                goals.size() - missed.size(), goals.size(), ProgramTimes.WARM_RATE_LEAST, ProgramTimes.WARM_CPU_MOST,
                ProgramTimes.COLD_RATE_LEAST,
                eachEnd ? "; with a ceiling: rate >= " + ProgramTimes.REQUEST_RATE_LEAST + " x, or 80 % of the ceiling" : ""));
        report.line("");
        report.line("What JFS says of the clients' connections:");
        report.lines(times.switching());
        runs.failures().forEach(failure -> report.line("FAILED " + failure));
    }
}
