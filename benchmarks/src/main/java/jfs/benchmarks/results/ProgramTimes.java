package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.NetworkProgram;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;

/** The figures of network programs over the JDK's sockets and over JFS: time and processor time of an operation, cold and warm. */
public final class ProgramTimes {
    public static final double WARM_RATE_LEAST = 1;
    public static final double WARM_CPU_MOST = 1.1;
    public static final double COLD_RATE_LEAST = 0.95;

    /** Whether the JVMs have just started or are warm. */
    public enum State {
        COLD,
        WARM;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Time and processor time of an operation. {@link #JDK} and {@link #JFS} take turns. */
    private record Times(Turns<Boolean> elapsed, Turns<Boolean> processor) {}

    private static final boolean JDK = false;
    private static final boolean JFS = true;

    private final Map<NetworkProgram, Map<State, Times>> times = new LinkedHashMap<>();
    private final Map<NetworkProgram, List<String>> connections = new HashMap<>();

    /** Adds a fork of that operation: the turns of each side. Both sides have the same number of turns. */
    public void add(NetworkProgram program, State state, List<Players.Turn> jdk, List<Players.Turn> jfs) throws ChildFailure {
        Times of = times.computeIfAbsent(program, none -> new HashMap<>())
                .computeIfAbsent(state, none -> new Times(new Turns<>(), new Turns<>()));
        Map<Boolean, double[]> elapsed = new HashMap<>();
        Map<Boolean, double[]> processor = new HashMap<>();
        for (boolean side : new boolean[] {JDK, JFS}) {
            List<Players.Turn> turns = side == JFS ? jfs : jdk;
            double[] each = new double[turns.size()];
            double[] used = new double[turns.size()];
            for (int turn = 0; turn < each.length; turn++) {
                each[turn] = turns.get(turn).round();
                used[turn] = turns.get(turn).processor();
            }
            elapsed.put(side, each);
            processor.put(side, used);
        }
        of.elapsed.add(elapsed);
        of.processor.add(processor);
    }

    /** Adds what JFS has logged about the client's connections in a fork. */
    public void connections(NetworkProgram program, String summary) {
        connections.computeIfAbsent(program, none -> new ArrayList<>()).add(summary);
    }

    private boolean has(NetworkProgram program, State state) {
        return times.containsKey(program) && times.get(program).containsKey(state);
    }

    /** Operations a second, relative to the JDK's. A fork of cold JVMs has one turn. */
    Statistics.Estimate rate(NetworkProgram program, State state) {
        return times.get(program).get(state).elapsed.ratioOfTurns(JDK, JFS);
    }

    /** Processor time that both processes use for an operation, relative to the JDK's. */
    Statistics.Estimate processor(NetworkProgram program, State state) {
        return times.get(program).get(state).processor.ratioOfTurns(JFS, JDK);
    }

    private double micros(NetworkProgram program, State state, boolean side) {
        return times.get(program).get(state).elapsed.median(side) * 1e6;
    }

    private double processorMicros(NetworkProgram program, State state, boolean side) {
        return times.get(program).get(state).processor.median(side) * 1e6;
    }

    public List<NetworkProgram> measured() {
        return List.copyOf(times.keySet());
    }

    /** A row for each operation that was measured in that state. */
    public Table table(State state) {
        Table table = new Table(
                "program", state + ": operation", "JDK us", "JFS us", "rate to JDK", "interval", "JDK CPU us", "JFS CPU us",
                "CPU to JDK", "interval");
        for (NetworkProgram program : times.keySet()) {
            if (has(program, state)) {
                Statistics.Estimate rate = rate(program, state);
                Statistics.Estimate processor = processor(program, state);
                table.add(program.program(), program.title(), Table.number(micros(program, state, JDK)),
                        Table.number(micros(program, state, JFS)), Table.number(rate.median()), rate.interval(),
                        Table.number(processorMicros(program, state, JDK)), Table.number(processorMicros(program, state, JFS)),
                        Table.number(processor.median()), processor.interval());
            }
        }
        return table;
    }

    /** What has been measured of an operation so far, in a few words. */
    public String brief(NetworkProgram program) {
        return times.get(program).keySet().stream()
                .sorted()
                .map(state -> String.format("%s %s x, CPU %s x", state, Table.number(rate(program, state).median()),
                        Table.number(processor(program, state).median())))
                .collect(Collectors.joining("; "));
    }

    public boolean has(State state) {
        return times.keySet().stream().anyMatch(program -> has(program, state));
    }

    public List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (NetworkProgram program : times.keySet()) {
            if (has(program, State.WARM)) {
                goals.add(Goal.atLeast(WARM_RATE_LEAST, program + ", warm rate", rate(program, State.WARM).median()));
                goals.add(Goal.atMost(WARM_CPU_MOST, program + ", warm CPU", processor(program, State.WARM).median()));
            }
            if (has(program, State.COLD)) {
                goals.add(Goal.atLeast(COLD_RATE_LEAST, program + ", cold rate", rate(program, State.COLD).median()));
            }
        }
        return goals;
    }

    /** What JFS has logged about the clients' connections, program by program. */
    public String switching() {
        return times.keySet().stream()
                .filter(connections::containsKey)
                .map(program -> program + ": " + String.join("; ", connections.get(program)))
                .collect(Collectors.joining("\n"));
    }

    public String csv() {
        StringBuilder text = new StringBuilder("program,operation,state,jdk_us,jfs_us,rate,rate_low,rate_high,"
                + "jdk_cpu_us,jfs_cpu_us,cpu,cpu_low,cpu_high\n");
        for (NetworkProgram program : times.keySet()) {
            for (State state : State.values()) {
                if (has(program, state)) {
                    Statistics.Estimate rate = rate(program, state);
                    Statistics.Estimate processor = processor(program, state);
                    text.append(String.format(
                            Locale.ROOT, "%s,\"%s\",%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f%n",
                            program.program(), program.title(), state, micros(program, state, JDK), micros(program, state, JFS),
                            rate.median(), rate.low(), rate.high(), processorMicros(program, state, JDK),
                            processorMicros(program, state, JFS), processor.median(), processor.low(), processor.high()));
                }
            }
        }
        return text.toString();
    }
}
