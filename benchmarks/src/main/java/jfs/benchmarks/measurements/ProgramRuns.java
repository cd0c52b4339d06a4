package jfs.benchmarks.measurements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.processes.Surroundings;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.NetworkProgram;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.results.ProgramTimes;

/** Runs network programs over the JDK's sockets and over JFS: cold in the first seconds of new JVMs, warm in turns. */
public final class ProgramRuns {
    /** For the estimate: how long it takes to warm a pair up. */
    private static final double WARMING_SECONDS = 2;

    /**
     * How often and how long.
     *
     * @param forks new JVMs for each side and operation
     * @param turns of warm JVMs in each fork; 0: none are measured warm
     * @param seconds of such a turn
     * @param coldSeconds from the first request on; 0: none are measured cold
     * @param leastWarmUp the least time to warm up, seconds; empty: {@link NetworkProgram#leastWarmUp} of each program
     */
    public record Plan(int forks, int turns, double seconds, double coldSeconds, OptionalInt leastWarmUp) {
        private boolean cold() {
            return coldSeconds > 0;
        }

        private boolean warm() {
            return turns > 0;
        }

        private int leastWarmUp(NetworkProgram program) {
            return leastWarmUp.orElse(program.leastWarmUp());
        }

        /** How long all sides of an operation take, in seconds. */
        private double estimate(NetworkProgram program) {
            double warm = warm() ? WARMING_SECONDS + leastWarmUp(program) + turns * seconds : 0;
            double pipes = warm() && program.hasCeiling() ? program.startSeconds() + warm : 0;
            return 2 * (program.startSeconds() + coldSeconds + warm) + pipes;
        }

        @Override
        public String toString() {
            return forks + (forks == 1 ? " fork" : " forks");
        }
    }

    private final Installation installation;
    private final Surroundings surroundings;
    /** The folder of the programs' jars. */
    private final Path libraries;
    private final Plan plan;
    private final ProgramTimes times = new ProgramTimes();
    private final List<String> failures = new ArrayList<>();

    public ProgramRuns(Installation installation, Surroundings surroundings, Path libraries, Plan plan) {
        this.installation = installation;
        this.surroundings = surroundings;
        this.libraries = libraries;
        this.plan = plan;
    }

    public ProgramTimes times() {
        return times;
    }

    /** The programs that have failed, each with its reason. */
    public List<String> failures() {
        return failures;
    }

    /**
     * Measures these programs. If a program fails, the other programs are measured nevertheless.
     *
     * @param csv the file for the results so far, in case the rest is interrupted; null: none
     */
    public void run(List<NetworkProgram> chosen, Path csv, Progress progress) throws ChildFailure, InterruptedException, IOException {
        try (Surroundings.Loops loops = surroundings.begin()) {
            measure(chosen, csv, progress);
        }
    }

    private void measure(List<NetworkProgram> chosen, Path csv, Progress progress) throws InterruptedException, IOException {
        int all = chosen.size() * plan.forks();
        double estimate = plan.forks() * chosen.stream().mapToDouble(plan::estimate).sum();
        progress.done(String.format("%d operations, %s: about %s", chosen.size(), plan, minutes(estimate)));
        long begun = System.nanoTime();
        int done = 0;
        for (int fork = 1; fork <= plan.forks(); fork++) {
            for (NetworkProgram program : chosen) {
                String title = String.format("%d of %d  %s", done + 1, all, program);
                progress.now(title);
                try {
                    // The side that begins alternates from program to program, and for each program from fork to fork.
                    fork(program, (chosen.indexOf(program) + fork) % 2 == 0);
                    title += "  " + times.brief(program);
                    if (csv != null) {
                        Files.writeString(csv, times.csv());
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

    private static String minutes(double seconds) {
        return seconds < 90 ? Math.round(seconds) + " s" : Math.round(seconds / 60) + " min";
    }

    private void fork(NetworkProgram program, boolean reversed) throws ChildFailure, InterruptedException, IOException {
        List<Side> order = new ArrayList<>(List.of(Side.JDK, program.side()));
        if (plan.warm() && program.hasCeiling()) {
            order.add(Side.PIPES);
        }
        if (reversed) {
            Collections.reverse(order);
        }
        Path folder = Files.createTempDirectory("jfs-bench-programs");
        Map<Side, Players> playing = new EnumMap<>(Side.class);
        try {
            fork(program, order, playing, folder);
        } finally {
            for (Players players : playing.values()) {
                players.end(); // while a server runs, it writes files
            }
            delete(folder);
        }
    }

    private void fork(NetworkProgram program, List<Side> order, Map<Side, Players> playing, Path folder)
            throws ChildFailure, InterruptedException {
        Map<Side, List<Players.Turn>> cold = new EnumMap<>(Side.class);
        Map<Side, List<Players.Turn>> warm = new EnumMap<>(Side.class);
        for (Side side : order) {
            Players players = start(side, program, folder.resolve(side.name()));
            playing.put(side, players);
            if (plan.cold() && side != Side.PIPES) {
                cold.put(side, List.of(players.take(plan.coldSeconds(), 1)));
            }
            if (!plan.warm()) {
                finish(program, side, players);
            }
        }
        if (plan.cold()) {
            times.add(program, ProgramTimes.State.COLD, cold.get(Side.JDK), cold.get(program.side()));
        }
        if (plan.warm()) {
            for (Side side : order) {
                playing.get(side).warmUp(plan.leastWarmUp(program));
                warm.put(side, new ArrayList<>());
            }
            for (int turn = 0; turn < plan.turns(); turn++) {
                for (Side side : order) {
                    warm.get(side).add(playing.get(side).take(plan.seconds(), 1));
                }
                Collections.reverse(order);
            }
            for (Side side : order) {
                finish(program, side, playing.get(side));
            }
            times.add(program, ProgramTimes.State.WARM, warm.get(Side.JDK), warm.get(program.side()));
            if (warm.containsKey(Side.PIPES)) {
                times.addCeiling(program, warm);
            }
        }
    }

    private Players start(Side side, NetworkProgram program, Path folder) throws ChildFailure, InterruptedException {
        String name = program + " over " + side;
        if (side == Side.PIPES) {
            List<String> command = new ArrayList<>(command(Side.Start.PLAIN, program.inProcess(folder)));
            command.addAll(command.indexOf("-cp"), NetworkProgram.PIPES); // before it there may be a program that confines the JVM
            return Players.startInProcess(name, command);
        }
        return Players.startCold(name, command(side.server(), program.server(folder)),
                port -> command(side.client(), program.client(port)));
    }

    /** JFS only logs a summary at the end. Log lines for each connection would be part of what is measured. */
    private List<String> command(Side.Start start, List<String> program) {
        String classPath = Workload.programs() + ":" + libraries.resolve("*");
        return surroundings.confine(installation.java(start, classPath, program, "fallback"));
    }

    private void finish(NetworkProgram program, Side side, Players players) throws ChildFailure, InterruptedException {
        List<String> output = players.finish();
        if (side == program.side()) {
            String says = Stream.of(
                            side.client() == Side.Start.PLAIN ? "the client runs without JFS" : SwitchLog.summary(output),
                            SwitchLog.withoutChannels(output), SwitchLog.withoutChannels(players.serverOutput()))
                    .filter(text -> !text.isEmpty())
                    .distinct()
                    .collect(Collectors.joining("; "));
            times.connections(program, says, SwitchLog.fast(output));
        }
        players.close();
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }
}
