package jfs.benchmarks.measurements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.processes.Surroundings;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.results.IdleTimes;
import jfs.benchmarks.statistics.Turns;

/**
 * Measures what idle connections cost. A client and a server have one selector each, with one connection that talks in turns. Two pairs
 * of processes, over the JDK's sockets and over JFS, have as many idle connections as asked for, and two have none.
 */
public final class IdleConnections {
    private static final String LOOPBACK = "127.0.0.1";
    /** So that few requests make a connection fast. */
    private static final String AT_ONCE = "-Djfs.upgrade.after=1";
    private static final double CONNECTING_SECONDS = 5;
    /** From the last message on. By then JFS has noticed the idle connections and has given memory back. */
    private static final double SETTLING_SECONDS = 5;
    /** Descriptors of a JVM beside those of its connections. */
    private static final int OTHERS = 100;
    /** JFS takes two descriptors for this many connections, one of each connection is TCP's. It stays below half of the limit. */
    private static final int OF_A_REGION = 16;

    /**
     * How often and how long.
     *
     * @param forks new JVMs for each pair
     * @param turns of conversation in each fork
     * @param seconds of such a turn
     * @param idleSeconds in which no connection is used
     */
    public record Plan(int connections, int forks, int turns, double seconds, double idleSeconds) {}

    private final Installation installation;
    private final Surroundings surroundings;
    private final Plan plan;
    private final IdleTimes times;

    public IdleConnections(Installation installation, Surroundings surroundings, Plan plan) {
        this.installation = installation;
        this.surroundings = surroundings;
        this.plan = plan;
        times = new IdleTimes(plan.connections());
    }

    /** The most connections that can be fast in a process that has as many descriptors as children of this one may have. */
    public static int most() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
                if (line.startsWith("Max open files")) { // the soft limit, the hard one, which a JVM makes its soft one, and the unit
                    String hard = line.replaceAll(".* (\\S+) +files.*", "$1");
                    return hard.equals("unlimited") ? Integer.MAX_VALUE : most(Long.parseLong(hard));
                }
            }
        } catch (IOException e) {
            // The limit is not known. If it is too low, the client says so.
        }
        return Integer.MAX_VALUE;
    }

    static int most(long descriptors) {
        long ofConnections = Math.min(descriptors, Integer.MAX_VALUE) / 2 - OTHERS;
        return (int) Math.max(0, ofConnections * OF_A_REGION / (OF_A_REGION + 2));
    }

    public IdleTimes run(Progress progress) throws ChildFailure, InterruptedException {
        try (Surroundings.Loops loops = surroundings.begin()) {
            for (int fork = 1; fork <= plan.forks(); fork++) {
                String title = String.format("idle, fork %d of %d", fork, plan.forks());
                fork(fork - 1, title, progress);
                progress.done(title);
            }
        }
        return times;
    }

    private void fork(int before, String title, Progress progress) throws ChildFailure, InterruptedException {
        Map<IdleTimes.Pair, Players> playing = new LinkedHashMap<>();
        try {
            for (IdleTimes.Pair pair : Turns.order(IdleTimes.Pair.all(), before)) {
                Players players = start(pair);
                playing.put(pair, players);
                connect(players, pair, title, progress);
            }
            for (Map.Entry<IdleTimes.Pair, Players> each : playing.entrySet()) {
                progress.now(title + "  warms up  " + each.getKey());
                each.getValue().warmUp(0);
            }
            times.talked(talk(playing, before * plan.turns(), title, progress));
            progress.now(title + "  all connections idle");
            Players.take(List.copyOf(playing.values()), SETTLING_SECONDS, 0);
            times.waited(together(playing, plan.idleSeconds()));
            times.held(together(playing, 0));
            for (Map.Entry<IdleTimes.Pair, Players> each : playing.entrySet()) {
                List<String> output = each.getValue().finish();
                if (each.getKey().side() != Side.JDK) {
                    times.summary(each.getKey(), SwitchLog.summary(output));
                }
            }
        } finally {
            playing.values().forEach(Players::close);
        }
    }

    private Map<IdleTimes.Pair, List<Players.Turn>> talk(
            Map<IdleTimes.Pair, Players> playing, int before, String title, Progress progress) throws ChildFailure, InterruptedException {
        Map<IdleTimes.Pair, List<Players.Turn>> turns = new LinkedHashMap<>();
        playing.keySet().forEach(pair -> turns.put(pair, new ArrayList<>()));
        for (int turn = 0; turn < plan.turns(); turn++) {
            progress.now(String.format("%s  turn %d of %d", title, turn + 1, plan.turns()));
            for (IdleTimes.Pair pair : Turns.order(playing.keySet(), before + turn)) {
                turns.get(pair).add(playing.get(pair).take(plan.seconds(), 1));
            }
        }
        return turns;
    }

    /** A turn of no trials, of all pairs at the same time. */
    private static Map<IdleTimes.Pair, List<Players.Turn>> together(Map<IdleTimes.Pair, Players> playing, double seconds)
            throws ChildFailure, InterruptedException {
        Map<IdleTimes.Pair, List<Players.Turn>> turns = new LinkedHashMap<>();
        List<IdleTimes.Pair> pairs = List.copyOf(playing.keySet());
        List<Players.Turn> taken = Players.take(List.copyOf(playing.values()), seconds, 0);
        for (int i = 0; i < pairs.size(); i++) {
            turns.put(pairs.get(i), List.of(taken.get(i)));
        }
        return turns;
    }

    private Players start(IdleTimes.Pair pair) throws ChildFailure, InterruptedException {
        String idle = Integer.toString(pair.idle() ? plan.connections() : 0);
        return Players.startCold(pair.toString(), command(pair.side().server(), "workloads.many.SelectorServer", LOOPBACK, "0"),
                port -> command(pair.side().client(), "workloads.many.IdleClient", LOOPBACK, port, idle));
    }

    private List<String> command(Side.Start start, String... program) {
        List<String> command = new ArrayList<>(installation.java(start, Workload.programs(), List.of(program), "fallback"));
        command.add(1, AT_ONCE);
        return surroundings.confine(command);
    }

    private void connect(Players players, IdleTimes.Pair pair, String title, Progress progress) throws ChildFailure, InterruptedException {
        int all = pair.idle() ? plan.connections() : 0;
        for (int connected = 0; connected <= all; ) {
            progress.now(String.format("%s  %s: %d connected", title, pair, connected));
            int now = (int) players.take(CONNECTING_SECONDS, 1).figure("connected");
            if (now == connected) {
                throw new ChildFailure(pair + ": no further connection in " + CONNECTING_SECONDS + " s after " + connected);
            }
            connected = now;
        }
    }
}
