package jfs.benchmarks.commands;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.processes.Surroundings;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.NetworkProgram;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.results.Plots;
import jfs.benchmarks.results.ProgramTimes;
import jfs.benchmarks.statistics.Goal;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures network programs on well-known libraries. */
@Command(
        name = "programs",
        mixinStandardHelpOptions = true,
        description = "Real programs, client and server in two JVMs (sockets, Thrift, gRPC, JGroups, FTP, SMTP, IMAP, Tomcat): rate and "
                + "CPU beside the JDK's sockets, in the first seconds of new JVMs (cold), and in turns once they are compiled (warm).")
final class ProgramsBench implements Callable<Integer> {
    private static final double COLD_MAX = 30; // a turn must end before the time limit of Players
    private static final double SECONDS_MAX = 20;
    /** For the estimate: how long it takes to start a pair, and to warm it up. */
    private static final double START_SECONDS = 1.5;
    private static final double WARMING_SECONDS = 2;

    private static final String CSV = "programs.csv";

    @Spec
    private CommandSpec spec;

    @Mixin
    private Installation installation;

    @Mixin
    private Surroundings surroundings;

    @Option(
            names = "--libraries", required = true, paramLabel = "DIR",
            description = "Folder of the programs' jars.")
    private Path libraries;

    @Option(
            names = "--programs", split = ",", paramLabel = "NAME",
            description = "Which of sockets, rmi, thrift, grpc, jgroups, ftp, smtp, imap and tomcat, or an operation of one, as "
                    + "thrift:connection (default: all).")
    private List<String> programs = NetworkProgram.names();

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

    @ArgGroup(exclusive = true)
    private final Only only = new Only();

    /** Options of which at most one may be given. */
    private static final class Only {
        @Option(names = "--cold-only", description = "Measures no warm JVMs.")
        private boolean cold;

        @Option(names = "--warm-only", description = "Measures no cold JVMs.")
        private boolean warm;
    }

    @Option(names = "--out", paramLabel = "DIR", description = "Folder for programs.csv and programs.png (default: none are written).")
    private Path out;

    private final ProgramTimes times = new ProgramTimes();
    private final List<String> failures = new ArrayList<>();

    @Override
    public Integer call() throws ChildFailure, InterruptedException, IOException {
        installation.check();
        installation.checkFile("--libraries", libraries);
        OptionValues.check(spec, "--seconds", seconds, seconds > 0 && seconds <= SECONDS_MAX, "more than 0 and at most " + SECONDS_MAX);
        OptionValues.check(spec, "--cold-seconds", coldSeconds, coldSeconds > 0 && coldSeconds <= COLD_MAX,
                "more than 0 and at most " + COLD_MAX);
        List<NetworkProgram> chosen = chosen();
        if (out != null) {
            Files.createDirectories(out);
        }
        Progress progress = new Progress(System.err);
        try (Surroundings.Loops loops = surroundings.begin()) {
            measure(chosen, progress);
        }
        print();
        if (out != null && !times.measured().isEmpty()) {
            Plots.programs(times, out.resolve("programs.png"));
            progress.done("Wrote " + out.resolve(CSV) + " and " + out.resolve("programs.png") + ".");
        }
        return failures.isEmpty() ? 0 : 1;
    }

    private List<NetworkProgram> chosen() {
        List<NetworkProgram> chosen = new ArrayList<>();
        for (String name : programs) {
            List<NetworkProgram> found = NetworkProgram.ALL.stream()
                    .filter(each -> name.equals(each.program()) || name.equals(each.program() + ":" + each.operation()))
                    .toList();
            if (found.isEmpty()) {
                throw new ParameterException(spec.commandLine(), "--programs: " + name + " is none of "
                        + String.join(", ", NetworkProgram.names()) + ", and no operation of theirs");
            }
            chosen.addAll(found);
        }
        return chosen.stream().distinct().toList();
    }

    /** If a program fails, the other programs are measured nevertheless. */
    private void measure(List<NetworkProgram> chosen, Progress progress) throws InterruptedException, IOException {
        int all = chosen.size() * forks;
        progress.done(String.format("%d operations, %s: about %s", chosen.size(), forks(), minutes(all * estimate())));
        long begun = System.nanoTime();
        int done = 0;
        for (int fork = 1; fork <= forks; fork++) {
            for (NetworkProgram program : chosen) {
                String title = String.format("%d of %d  %s", done + 1, all, program);
                progress.now(title);
                try {
                    // The side that begins alternates from program to program, and for each program from fork to fork.
                    fork(program, (chosen.indexOf(program) + fork) % 2 == 0);
                    title += "  " + times.brief(program);
                    if (out != null) {
                        Files.writeString(out.resolve(CSV), times.csv()); // the results so far, in case the rest is interrupted
                    }
                } catch (ChildFailure failure) {
                    failures.add(program + ": " + failure.getMessage());
                    title += "  FAILED";
                }
                done++;
                double left = (System.nanoTime() - begun) * 1e-9 / done * (all - done);
                progress.done(title + (done < all ? "  (" + minutes(left) + " left)" : ""));
            }
        }
    }

    private String forks() {
        return forks + (forks == 1 ? " fork" : " forks");
    }

    private double estimate() {
        double cold = only.warm ? 0 : coldSeconds;
        double warm = only.cold ? 0 : WARMING_SECONDS + turns * seconds;
        return 2 * (START_SECONDS + cold + warm);
    }

    private static String minutes(double seconds) {
        return seconds < 90 ? Math.round(seconds) + " s" : Math.round(seconds / 60) + " min";
    }

    private void fork(NetworkProgram program, boolean reversed) throws ChildFailure, InterruptedException {
        List<Side> order = new ArrayList<>(List.of(Side.JDK, program.side()));
        if (reversed) {
            Collections.reverse(order);
        }
        Map<Side, Players> playing = new EnumMap<>(Side.class);
        Map<Side, List<Players.Turn>> cold = new EnumMap<>(Side.class);
        Map<Side, List<Players.Turn>> warm = new EnumMap<>(Side.class);
        try {
            for (Side side : order) {
                Players players = start(side, program);
                playing.put(side, players);
                if (!only.warm) {
                    cold.put(side, List.of(players.take(coldSeconds, 1)));
                }
                if (only.cold) {
                    finish(program, side, players);
                }
            }
            if (!only.warm) {
                times.add(program, ProgramTimes.State.COLD, cold.get(Side.JDK), cold.get(program.side()));
            }
            if (!only.cold) {
                for (Side side : order) {
                    playing.get(side).warmUp();
                    warm.put(side, new ArrayList<>());
                }
                for (int turn = 0; turn < turns; turn++) {
                    for (Side side : order) {
                        warm.get(side).add(playing.get(side).take(seconds, 1));
                    }
                    Collections.reverse(order);
                }
                for (Side side : order) {
                    finish(program, side, playing.get(side));
                }
                times.add(program, ProgramTimes.State.WARM, warm.get(Side.JDK), warm.get(program.side()));
            }
        } finally {
            playing.values().forEach(Players::close);
        }
    }

    private Players start(Side side, NetworkProgram program) throws ChildFailure, InterruptedException {
        return Players.startCold(program + " over " + side, command(side.server(), program.server()),
                port -> command(side.client(), program.client(port)));
    }

    /** JFS only logs a summary at the end. Log lines for each connection would be part of what is measured. */
    private List<String> command(Side.Start start, List<String> program) {
        String classPath = Workload.programs() + ":" + libraries.resolve("*");
        return surroundings.confine(installation.java(start, classPath, program, "fallback"));
    }

    private void finish(NetworkProgram program, Side side, Players players) throws ChildFailure, InterruptedException {
        List<String> output = players.finish();
        if (side != Side.JDK) {
            times.connections(program, SwitchLog.summary(output));
        }
        players.close();
    }

    private void print() {
        PrintWriter text = spec.commandLine().getOut();
        text.println();
        for (ProgramTimes.State state : ProgramTimes.State.values()) {
            if (times.has(state)) {
                text.println(times.table(state));
            }
        }
        text.println("(time and processor time of an operation, the latter of both processes; of several threads: from one's end to the");
        text.printf(" next one's; cold: the first %s s from the first request on, one turn a fork; warm: once the compilers are quiet,%n",
                Table.number(coldSeconds));
        text.printf(" %d turns a fork; %s: medians of these and of their paired ratios, with the interval of the median of all turns;%n",
                turns, forks());
        text.println(" a ratio is the median of the ratios turn by turn, so it may differ from that of the two medians beside it)");
        text.println();
        List<Goal> goals = times.goals();
        List<Goal> missed = goals.stream().filter(goal -> !goal.met()).toList();
        missed.forEach(text::println);
        text.printf("%d of %d goals met (warm: rate >= %s x, CPU <= %s x; cold: rate >= %s x)%n", goals.size() - missed.size(),
                goals.size(), ProgramTimes.WARM_RATE_LEAST, ProgramTimes.WARM_CPU_MOST, ProgramTimes.COLD_RATE_LEAST);
        text.println();
        text.println("What JFS says of the clients' connections:");
        text.println(times.switching());
        failures.forEach(failure -> text.println("FAILED " + failure));
        text.flush();
    }
}
