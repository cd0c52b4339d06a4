package jfs.benchmarks.commands;

import java.util.List;
import java.util.concurrent.Callable;
import jfs.benchmarks.measurements.StatedPreferences;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.report.Pages;
import jfs.benchmarks.results.PreferenceTimes.Part;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what {@code JFS.setPreferences} does. */
@Command(
        name = "preferences",
        mixinStandardHelpOptions = true,
        description = "What JFS.setPreferences does: time and processor time of connections with each preference, beside JFS without one"
                + " and the JDK's sockets.")
final class PreferencesBench implements Callable<Integer> {
    private static final double SECONDS_MAX = 5; // a turn of all works must end before the time limit of Players

    @Mixin
    private Installation installation;

    @Mixin
    private Pages pages;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--forks", paramLabel = "N", defaultValue = "5",
            description = "Fresh pairs of JVMs for each way and part (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(names = "--turns", paramLabel = "N", defaultValue = "7", description = "For each fork (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(
            names = "--seconds", paramLabel = "S", defaultValue = "0.2",
            description = "Of a turn, for each kind of message (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
            names = "--parts", split = ",", paramLabel = "PART",
            description = "Of ${COMPLETION-CANDIDATES} (default: all).")
    private List<Part> parts = List.of(Part.values());

    @Override
    public Integer call() throws ChildFailure, InterruptedException {
        installation.check();
        OptionValues.check(spec, "--seconds", seconds, seconds > 0 && seconds <= SECONDS_MAX, "more than 0 and at most " + SECONDS_MAX);
        Progress progress = new Progress(System.err);
        StatedPreferences measured = new StatedPreferences(installation);
        for (int fork = 1; fork <= forks; fork++) {
            String title = String.format("fork %d of %d", fork, forks);
            for (Part part : parts) {
                progress.now(title + "  " + part);
                measured.fork(part, turns, seconds);
            }
            progress.done(title);
        }
        pages.publish(measured.times().report(parts, forks, turns), installation);
        return 0;
    }
}
