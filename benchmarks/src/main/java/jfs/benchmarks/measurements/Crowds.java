package jfs.benchmarks.measurements;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.processes.Surroundings;
import jfs.benchmarks.programs.Floor;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;
import workloads.many.Threads;

/**
 * Measures many connections between two JVMs, or between several pairs of JVMs. Some or all connections talk at the same time. The
 * sides take turns.
 */
public final class Crowds {
    public static final String FLOOR = "C floor";
    /** Keys: seconds from the end of one round trip to the end of the next, and seconds of processor time for a round trip. */
    public static final String ROUND = "round";
    public static final String PROCESSOR = "processor";
    /** Keys of the latency of a request, in seconds. */
    public static final List<String> PERCENTILES = List.of("p50", "p99", "p999");

    private static final String LOOPBACK = "127.0.0.1";

    /** A number of connections, and how many of them talk. */
    public record Crowd(int connections, int talking) {
        public boolean allTalk() {
            return talking == connections;
        }

        public boolean isAlone() {
            return talking == 1;
        }

        @Override
        public String toString() {
            return allTalk() ? Integer.toString(connections) : connections + ":" + talking;
        }
    }

    /** How the connections talk. @param pairs the number of pairs of JVMs, each with the whole crowd */
    public record Manner(Threads threads, int pairs, int bytes) {}

    private final Installation installation;
    private final Surroundings surroundings;
    private final List<Side> sides;
    private final Manner manner;
    private final Map<String, Turns<String>> measured = new HashMap<>();
    private final Map<Side, Long> switched = new EnumMap<>(Side.class);
    private long shouldSwitch;

    public Crowds(Installation installation, Surroundings surroundings, List<Side> sides, Manner manner) {
        this.installation = installation;
        this.surroundings = surroundings;
        this.sides = sides;
        this.manner = manner;
    }

    /** The figures of one fork by key, and by side or {@link #FLOOR}. Each has a value for each turn. */
    private static final class Figures {
        private final Map<String, Map<String, double[]>> values = new HashMap<>();
        private final int turns;

        Figures(int turns) {
            this.turns = turns;
        }

        void keep(String key, String who, int turn, double value) {
            values.computeIfAbsent(key, none -> new HashMap<>()).computeIfAbsent(who, none -> new double[turns])[turn] = value;
        }
    }

    /** Runs a fork. The sides take turns in the order of {@link Turns#order}. @param withFloor whether the floor takes turns with them */
    public void fork(Crowd crowd, int turns, double seconds, boolean withFloor) throws ChildFailure, InterruptedException {
        Map<Side, List<Players>> playing = new EnumMap<>(Side.class);
        Figures figures = new Figures(turns);
        try {
            for (Side side : sides) {
                List<Players> started = new ArrayList<>();
                playing.put(side, started);
                for (int pair = 0; pair < manner.pairs; pair++) {
                    started.add(start(side, crowd));
                }
            }
            int before = of(crowd, ROUND).forks() * turns;
            for (int turn = 0; turn < turns; turn++) {
                for (Side side : Turns.order(sides, before + turn)) {
                    Players.Turn taken = together(Players.take(playing.get(side), seconds, 1));
                    figures.keep(ROUND, side.toString(), turn, taken.round());
                    figures.keep(PROCESSOR, side.toString(), turn, taken.processor());
                    for (String percentile : PERCENTILES) {
                        figures.keep(percentile, side.toString(), turn, taken.seconds(percentile));
                    }
                }
                if (withFloor) {
                    Floor.Crowd floor = installation.floor().crowd(crowd.talking * manner.pairs, seconds, surroundings::confine);
                    figures.keep(ROUND, FLOOR, turn, floor.round());
                    figures.keep(PROCESSOR, FLOOR, turn, floor.processor());
                }
            }
            for (Map.Entry<Side, List<Players>> side : playing.entrySet()) {
                for (Players players : side.getValue()) {
                    long fast = SwitchLog.connections(players.finish(), players.port());
                    switched.merge(side.getKey(), fast, Long::sum);
                }
            }
            shouldSwitch += (long) crowd.talking * manner.pairs;
        } finally {
            playing.values().forEach(side -> side.forEach(Players::close));
        }
        figures.values.forEach((key, values) -> of(crowd, key).add(values));
    }

    /**
     * Makes one turn of turns that several pairs have taken at the same time. Rounds and processor times are added. Of any other figure
     * the median counts.
     */
    static Players.Turn together(List<Players.Turn> turns) {
        Map<String, Double> figures = new HashMap<>();
        for (String key : turns.get(0).figures().keySet()) {
            double[] each = turns.stream().mapToDouble(turn -> turn.figures().get(key)).toArray();
            figures.put(key, key.equals("rounds") ? Arrays.stream(each).sum() : Statistics.median(each));
        }
        return new Players.Turn(figures, turns.stream().mapToDouble(Players.Turn::clientSeconds).sum(),
                turns.stream().mapToDouble(Players.Turn::serverSeconds).sum());
    }

    private Players start(Side side, Crowd crowd) throws ChildFailure, InterruptedException {
        String kind = manner.threads.name().toLowerCase(Locale.ROOT);
        List<String> server = List.of("workloads.many.ManyServer", LOOPBACK, "0", kind);
        return Players.start(side.toString(), command(side.server(), server),
                port -> command(side.client(), List.of("workloads.many.CrowdClient", LOOPBACK, port,
                        Integer.toString(crowd.connections), Integer.toString(crowd.talking), Integer.toString(manner.bytes), kind)));
    }

    private List<String> command(Side.Start start, List<String> program) {
        return surroundings.confine(installation.java(start, Workload.programs(), program, "all"));
    }

    /** The figures of that key, by the title of the side, and by {@link #FLOOR}. */
    public Turns<String> of(Crowd crowd, String key) {
        return measured.computeIfAbsent(crowd + " " + key, none -> new Turns<>());
    }

    /** Tells how many talking connections were switched. Without this, figures of plain TCP could pass for those of fast paths. */
    public String switching(Side side) {
        long fast = switched.getOrDefault(side, 0L);
        return String.format("%d of %d talking %s connections were switched%s.%n", fast, shouldSwitch, side,
                fast == shouldSwitch ? "" : "; the others ran over plain TCP");
    }
}
