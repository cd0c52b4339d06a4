package jfs.benchmarks.measurements;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.SwitchLog;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.results.TypedTimes;
import jfs.benchmarks.results.TypedTimes.Way;
import jfs.benchmarks.statistics.Turns;
import workloads.arrays.ArrayPeer;
import workloads.arrays.ElementType;

/** Measures arrays of several sizes there and back, in several ways. Each way has a pair of JVMs for all sizes, and takes turns. */
public final class Sweeps {
    private static final String LOOPBACK = "127.0.0.1";
    /** Of a turn, for each size. */
    private static final double TURN_SECONDS = 0.02;
    private static final int TRIALS = 25;

    private final Installation installation;
    private final List<Way> ways;
    private final List<Integer> sizes;
    private final TypedTimes times = new TypedTimes();
    private int forks;

    public Sweeps(Installation installation, List<Way> ways, List<Integer> sizes) {
        this.installation = installation;
        this.ways = ways;
        this.sizes = sizes;
    }

    public TypedTimes times() {
        return times;
    }

    /** Runs a fork of that type. */
    public void fork(ElementType type, int turns) throws ChildFailure, InterruptedException {
        List<Way> all = ways.stream().filter(way -> way.has(type)).toList();
        Map<Way, Players> playing = new EnumMap<>(Way.class);
        try {
            for (Way way : all) {
                playing.put(way, start(way, type));
            }
            Map<Integer, Map<Way, double[]>> seconds = new HashMap<>();
            Map<Integer, Map<Way, double[]>> allocated = new HashMap<>();
            for (int turn = 0; turn < turns; turn++) {
                for (Way way : Turns.order(all, forks * turns + turn)) {
                    Players.Turn taken = playing.get(way).take(sizes.size() * TURN_SECONDS, TRIALS);
                    for (int bytes : sizes) {
                        figures(seconds, bytes, way, turns)[turn] = taken.seconds("median" + bytes);
                        figures(allocated, bytes, way, turns)[turn] = taken.figure("allocated" + bytes);
                    }
                }
            }
            for (int bytes : sizes) {
                times.times(type, bytes).add(seconds.get(bytes));
                times.allocated(type, bytes).add(allocated.get(bytes));
            }
            for (Map.Entry<Way, Players> each : playing.entrySet()) {
                List<String> output = each.getValue().finish();
                if (each.getKey().side().fast()) {
                    times.switched(SwitchLog.of(output, each.getValue().port()).switched());
                }
            }
            forks++;
        } finally {
            playing.values().forEach(Players::close);
        }
    }

    private static double[] figures(Map<Integer, Map<Way, double[]>> all, int bytes, Way way, int turns) {
        return all.computeIfAbsent(bytes, none -> new EnumMap<>(Way.class)).computeIfAbsent(way, none -> new double[turns]);
    }

    private Players start(Way way, ElementType type) throws ChildFailure, InterruptedException {
        return Players.start(way.title(), java(way, way.side().server(), List.of("serve", LOOPBACK, "0"), type),
                port -> java(way, way.side().client(), List.of("play", LOOPBACK, port), type));
    }

    private List<String> java(Way way, Side.Start start, List<String> role, ElementType type) {
        List<String> program = new ArrayList<>(List.of(ArrayPeer.class.getName()));
        program.addAll(role);
        program.addAll(List.of(way.manner().name(), type.name(), sizes.stream().map(String::valueOf).collect(Collectors.joining(","))));
        return installation.java(start, Workload.programs(), program, "all");
    }
}
