package jfs.benchmarks.measurements;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.statistics.Turns;
import workloads.layouts.LayoutPeer;
import workloads.layouts.Manner;

/** Measures vectors of 1,000 blocks there and back over JFS. Each manner has a pair of JVMs for all lengths of blocks, and takes turns. */
public final class Vectors {
    private static final String LOOPBACK = "127.0.0.1";
    /** Of a turn, for each length. */
    private static final double TURN_SECONDS = 0.03;
    private static final int TRIALS = 25;

    private final Installation installation;
    private final String buffers;
    private final List<Integer> lengths;
    private final Map<Integer, Turns<Manner>> times = new LinkedHashMap<>();
    private final Map<Integer, Turns<Copy>> copies = new LinkedHashMap<>();
    private int connections;
    private int switched;

    /** One core of a C program copies the bytes once, warm. */
    public enum Copy {
        /** They lie in one piece already. */
        PIECE,
        /** They are blocks, with the gaps of the vector. */
        BLOCKS
    }

    /**
     * @param buffers the jar of jfs-buffers
     * @param lengths of the blocks, in elements
     */
    public Vectors(Installation installation, String buffers, List<Integer> lengths) {
        this.installation = installation;
        this.buffers = buffers;
        this.lengths = lengths;
        lengths.forEach(length -> {
            times.put(length, new Turns<>());
            copies.put(length, new Turns<>());
        });
    }

    public void run(int forks, int turns, Progress progress) throws ChildFailure, InterruptedException {
        for (int fork = 1; fork <= forks; fork++) {
            progress.now(String.format("fork %d of %d", fork, forks));
            fork(fork, turns);
            copyInC(turns);
        }
        progress.done(forks + " forks");
    }

    private void fork(int fork, int turns) throws ChildFailure, InterruptedException {
        Map<Manner, Players> playing = new EnumMap<>(Manner.class);
        Map<Integer, Map<Manner, double[]>> seconds = new LinkedHashMap<>();
        for (int length : lengths) {
            seconds.put(length, new EnumMap<>(Manner.class));
        }
        try {
            for (Manner manner : Manner.values()) {
                playing.put(manner, start(manner));
                seconds.values().forEach(its -> its.put(manner, new double[turns]));
            }
            for (int turn = 0; turn < turns; turn++) {
                for (Manner manner : Turns.order(playing.keySet(), fork * turns + turn)) {
                    Players.Turn taken = playing.get(manner).take(lengths.size() * TURN_SECONDS, TRIALS);
                    for (int length : lengths) {
                        seconds.get(length).get(manner)[turn] = taken.seconds("median" + length);
                    }
                }
            }
            seconds.forEach((length, its) -> times.get(length).add(its));
            for (Players each : playing.values()) {
                List<String> output = each.finish();
                connections++;
                switched += SwitchLog.of(output, each.port()).switched() ? 1 : 0;
            }
        } finally {
            playing.values().forEach(Players::close);
        }
    }

    private void copyInC(int turns) throws ChildFailure, InterruptedException {
        for (int length : lengths) {
            int bytes = LayoutPeer.BLOCKS * Double.BYTES * length;
            copies.get(length).fork(turns, new EnumMap<>(Map.of(
                    Copy.PIECE, () -> installation.floor().copy(bytes, TURN_SECONDS),
                    Copy.BLOCKS, () -> installation.floor().gather(bytes, TURN_SECONDS))));
        }
    }

    private Players start(Manner manner) throws ChildFailure, InterruptedException {
        return Players.start("the vectors " + manner, java("serve", "0", manner), port -> java("play", port, manner));
    }

    private List<String> java(String role, String port, Manner manner) {
        List<String> program = new ArrayList<>(List.of(LayoutPeer.class.getName(), role, LOOPBACK, port, manner.name()));
        program.add(lengths.stream().map(String::valueOf).collect(Collectors.joining(",")));
        return installation.java(Side.Start.AGENT, Workload.programs() + ":" + buffers, program, "all");
    }

    /** Seconds one way of vectors with blocks of that many elements. */
    public Turns<Manner> times(int length) {
        return times.get(length);
    }

    /** Seconds of one copy of as many bytes. */
    public Turns<Copy> copies(int length) {
        return copies.get(length);
    }

    /** How many of the connections were switched to a fast path. */
    public String switching() {
        return switched + " of " + connections + " connections over JFS were switched"
                + (switched == connections ? "." : "; the others ran over plain TCP.");
    }
}
