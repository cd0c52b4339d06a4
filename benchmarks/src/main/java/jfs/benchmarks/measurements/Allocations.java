package jfs.benchmarks.measurements;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.programs.Workload;
import jfs.benchmarks.statistics.Turns;

/**
 * Measures how long a buffer's allocation and release take, by {@link workloads.buffers.Allocations}. Each allocator has a JVM of its own,
 * and they take turns. A fork's figure is an average over all of its turns, so that garbage collections count as often as they come.
 */
public final class Allocations {
    /** With the JVM's defaults a collection for the sake of direct memory would be too seldom for its costs to be averaged. */
    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:MaxDirectMemorySize=256m");
    /** Turns that do not count. Even in the first one the compilers are done long before its end. */
    private static final int WARMING_TURNS = 2;

    /** Who allocates. @see workloads.buffers.Allocator#of */
    public enum Allocator {
        SHARED, OUTSIDE, INSIDE, NETTY, DIRECT, HEAP
    }

    /** A cell of the table. */
    public record Case(int bytes, int threads) {
        private String key() {
            return bytes + "x" + threads;
        }
    }

    private final Installation installation;
    private final Path libraries;
    private final List<Integer> sizes;
    private final List<Integer> threads;
    private final Map<Case, Turns<Allocator>> nanos = new LinkedHashMap<>();
    private final Map<Case, Turns<Allocator>> garbage = new LinkedHashMap<>();

    /** @param libraries a folder with the jars of jfs-buffers and Netty */
    public Allocations(Installation installation, Path libraries, List<Integer> sizes, List<Integer> threads) {
        this.installation = installation;
        this.libraries = libraries;
        this.sizes = sizes;
        this.threads = threads;
        for (int count : threads) {
            for (int bytes : sizes) {
                nanos.put(new Case(bytes, count), new Turns<>());
                garbage.put(new Case(bytes, count), new Turns<>());
            }
        }
    }

    /** @param seconds of a turn, in which each case has the same part */
    public void run(int forks, int turns, double seconds, Progress progress) throws ChildFailure, InterruptedException {
        for (int fork = 1; fork <= forks; fork++) {
            progress.now(String.format("fork %d of %d", fork, forks));
            fork(fork, turns, seconds);
        }
        progress.done(forks + " forks");
    }

    private void fork(int fork, int turns, double seconds) throws ChildFailure, InterruptedException {
        Map<Allocator, Players> all = new EnumMap<>(Allocator.class);
        Map<Allocator, Map<String, Double>> sums = new EnumMap<>(Allocator.class);
        try {
            for (Allocator each : Allocator.values()) {
                sums.put(each, new HashMap<>());
                all.put(each, Players.startInProcess("the allocator " + each, command(each)));
                for (int turn = 0; turn < WARMING_TURNS; turn++) {
                    all.get(each).take(seconds, 1);
                }
            }
            for (int turn = 0; turn < turns; turn++) {
                for (Allocator each : Turns.order(all.keySet(), fork + turn)) {
                    Map<String, Double> figures = all.get(each).take(seconds, 1).figures();
                    figures.forEach((key, value) -> sums.get(each).merge(key, value, Double::sum));
                }
            }
            for (Players each : all.values()) {
                each.finish();
            }
        } finally {
            all.values().forEach(Players::close);
        }
        nanos.forEach((one, measured) -> add(one, measured, sums, "nanos"));
        garbage.forEach((one, measured) -> add(one, measured, sums, "garbage"));
    }

    private List<String> command(Allocator allocator) {
        List<String> program = List.of("workloads.buffers.Allocations", allocator.name().toLowerCase(), list(sizes), list(threads));
        List<String> command = new ArrayList<>(
                installation.java(Side.Start.PLAIN, Workload.programs() + ":" + libraries.resolve("*"), program, "off"));
        command.addAll(1, FLAGS);
        return command;
    }

    private static String list(List<Integer> numbers) {
        return numbers.stream().map(Object::toString).collect(Collectors.joining(","));
    }

    private static void add(Case one, Turns<Allocator> measured, Map<Allocator, Map<String, Double>> sums, String what) {
        Map<Allocator, double[]> fork = new EnumMap<>(Allocator.class);
        sums.forEach((allocator, its) ->
                fork.put(allocator, new double[] {its.get(what + one.key()) / its.get("count" + one.key())}));
        measured.add(fork);
    }

    /** Nanoseconds of an allocation and its release. */
    public Turns<Allocator> nanos(int bytes, int threads) {
        return nanos.get(new Case(bytes, threads));
    }

    /** Bytes on the heap that an allocation and its release leave to the garbage collector. */
    public Turns<Allocator> garbage(int bytes, int threads) {
        return garbage.get(new Case(bytes, threads));
    }
}
