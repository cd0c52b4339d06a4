package jfs.benchmarks.measurements;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.statistics.Turns;
import workloads.echo.Peer;

/**
 * Measures a message there and back through Socket's streams. Both ends are {@link Peer}. The sides take turns with each other and
 * with other programs.
 */
public final class PingPong {
    private static final String LOOPBACK = "127.0.0.1";
    private static final double TURN_SECONDS = 0.02;
    private static final int TRIALS = 25;

    private final Installation installation;
    private final List<Side> sides;
    private final String log;
    private final Map<Integer, Turns<String>> sizes = new LinkedHashMap<>();
    private final Map<Side, Integer> switched = new EnumMap<>(Side.class);
    private int pairs;

    /** @param log what JFS reports, see {@link Installation#java} */
    public PingPong(Installation installation, List<Side> sides, String log) {
        this.installation = installation;
        this.sides = sides;
        this.log = log;
    }

    /** Another program that takes turns with the sides. */
    public interface Other {
        double seconds(int bytes, double turnSeconds) throws ChildFailure, InterruptedException;
    }

    /** @param others the other programs, by name */
    public void run(List<Integer> sizes, int forks, int turns, Map<String, Other> others, Progress progress)
            throws ChildFailure, InterruptedException {
        for (int fork = 1; fork <= forks; fork++) {
            String title = String.format("fork %d of %d", fork, forks);
            for (int bytes : sizes) {
                progress.now(title + "  " + bytes + " bytes");
                fork(bytes, turns, others);
            }
            progress.done(title);
        }
    }

    private void fork(int bytes, int turns, Map<String, Other> others) throws ChildFailure, InterruptedException {
        Map<Side, Players> playing = new EnumMap<>(Side.class);
        try {
            Map<String, Turns.Measurement> all = new LinkedHashMap<>();
            others.forEach((name, other) -> all.put(name, () -> other.seconds(bytes, TURN_SECONDS)));
            for (Side side : sides) {
                Players players = start(side, bytes);
                playing.put(side, players);
                all.put(side.toString(), () -> players.take(TURN_SECONDS, TRIALS, Players.Trial.MEDIAN));
            }
            sizes.computeIfAbsent(bytes, none -> new Turns<>()).fork(turns, all);
            for (Map.Entry<Side, Players> pair : playing.entrySet()) {
                List<String> output = pair.getValue().finish();
                boolean fast = SwitchLog.of(output, pair.getValue().port()).switched();
                switched.merge(pair.getKey(), fast ? 1 : 0, Integer::sum);
            }
            pairs++;
        } finally {
            playing.values().forEach(Players::close);
        }
    }

    private Players start(Side side, int bytes) throws ChildFailure, InterruptedException {
        List<String> server = installation.java(side.server(), Workload.programs(), serve(LOOPBACK), log);
        return Players.start(side.toString(), server,
                port -> installation.java(side.client(), Workload.programs(), play(LOOPBACK, port, bytes), log));
    }

    /** The program and arguments of the server, which listens at a free port of that address. */
    public static List<String> serve(String address) {
        return List.of(Peer.class.getName(), "serve", address, "0");
    }

    public static List<String> play(String address, String port, int bytes) {
        return List.of(Peer.class.getName(), "play", address, port, Integer.toString(bytes));
    }

    public Turns<String> of(int bytes) {
        return sizes.get(bytes);
    }

    /** Tells in how many forks the connections were switched to a fast path: a line for each side that should have one. */
    public String switching() {
        Map<Side, Integer> fast = new EnumMap<>(switched);
        fast.keySet().removeIf(side -> !side.fast());
        StringBuilder text = new StringBuilder();
        fast.forEach((side, count) -> text.append(switching(side, count, pairs)));
        return text.toString();
    }

    static String switching(Side side, int switched, int all) {
        return String.format("The %s connection was switched in %d of %d forks%s.%n", side, switched, all,
                switched == all ? "" : "; in the others it ran over plain TCP");
    }
}
