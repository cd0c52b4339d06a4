package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.NetworkProgram;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;

/** The figures of network programs over the JDK's sockets and over JFS: time and processor time of an operation, cold and warm. */
public final class ProgramTimes {
    public static final double WARM_RATE_LEAST = 1;
    public static final double WARM_CPU_MOST = 1.1;
    public static final double COLD_RATE_LEAST = 0.95;
    /** For a program that is measured over pipes too, or 80 % of its rate there. */
    public static final double REQUEST_RATE_LEAST = 1.5;

    /** Whether the JVMs have just started or are warm. */
    public enum State {
        COLD,
        WARM;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What is compared. */
    private enum Figure {
        ELAPSED,
        PROCESSOR,
        CLIENT_PROCESSOR,
        SERVER_PROCESSOR;

        /** For one operation in that turn, in seconds. */
        private double of(Players.Turn turn) throws ChildFailure {
            return switch (this) {
                case ELAPSED -> turn.round();
                case PROCESSOR -> turn.processor();
                case CLIENT_PROCESSOR -> turn.clientProcessor();
                case SERVER_PROCESSOR -> turn.serverProcessor();
            };
        }
    }

    private static final boolean JDK = false;
    private static final boolean JFS = true;

    /** In each {@link Turns} {@link #JDK} and {@link #JFS} take turns. */
    private final Map<NetworkProgram, Map<State, Map<Figure, Turns<Boolean>>>> times = new LinkedHashMap<>();
    private final Map<NetworkProgram, Turns<Side>> ceilings = new LinkedHashMap<>();
    private final Map<NetworkProgram, List<String>> connections = new HashMap<>();
    private final Map<NetworkProgram, LongSummaryStatistics> fast = new HashMap<>();

    /** Adds a fork of that operation: the turns of each side. Both sides have the same number of turns. */
    public void add(NetworkProgram program, State state, List<Players.Turn> jdk, List<Players.Turn> jfs) throws ChildFailure {
        Map<Figure, Turns<Boolean>> of = times.computeIfAbsent(program, none -> new EnumMap<>(State.class))
                .computeIfAbsent(state, none -> new EnumMap<>(Figure.class));
        for (Figure figure : Figure.values()) {
            of.computeIfAbsent(figure, none -> new Turns<>())
                    .add(Map.of(JDK, figures(figure, jdk), JFS, figures(figure, jfs)));
        }
    }

    private static double[] figures(Figure figure, List<Players.Turn> turns) throws ChildFailure {
        double[] each = new double[turns.size()];
        for (int turn = 0; turn < each.length; turn++) {
            each[turn] = figure.of(turns.get(turn));
        }
        return each;
    }

    /**
     * Adds what JFS has logged about the client's connections in a fork.
     *
     * @param ofThemFast how many were fast
     */
    public void connections(NetworkProgram program, String summary, long ofThemFast) {
        connections.computeIfAbsent(program, none -> new ArrayList<>()).add(summary);
        fast.computeIfAbsent(program, none -> new LongSummaryStatistics()).accept(ofThemFast);
    }

    private boolean has(NetworkProgram program, State state) {
        return times.containsKey(program) && times.get(program).containsKey(state);
    }

    /** Operations a second, relative to the JDK's. A fork of cold JVMs has one turn. */
    Statistics.Estimate rate(NetworkProgram program, State state) {
        return turns(program, state, Figure.ELAPSED).ratioOfTurns(JDK, JFS);
    }

    /** Processor time that both processes use for an operation, relative to the JDK's. */
    Statistics.Estimate processor(NetworkProgram program, State state) {
        return turns(program, state, Figure.PROCESSOR).ratioOfTurns(JFS, JDK);
    }

    private Turns<Boolean> turns(NetworkProgram program, State state, Figure figure) {
        return times.get(program).get(state).get(figure);
    }

    private double micros(NetworkProgram program, State state, Figure figure, boolean side) {
        return turns(program, state, figure).median(side) * 1e6;
    }

    public List<NetworkProgram> measured() {
        return List.copyOf(times.keySet());
    }

    /** The rates and the processor times of all operations, relative to the JDK's. */
    public List<Plot> plots() {
        Plot rates = Plot.toJdk("Rate of a program", "program and operation", "times the JDK's rate",
                "Where it is more than 1, JFS is faster.");
        Plot processor = Plot.toJdk("Processor time of an operation, both ends", "program and operation", "times the JDK's time",
                "Where it is less than 1, JFS needs less.");
        for (NetworkProgram program : times.keySet()) {
            for (State state : List.of(State.WARM, State.COLD)) {
                if (has(program, state)) {
                    Product product = state == State.WARM ? Product.JFS : Product.AGENT;
                    rates.add("JFS, " + state, product, program.toString(), rate(program, state), 1);
                    processor.add("JFS, " + state, product, program.toString(), processor(program, state), 1);
                }
            }
            if (ceilings.containsKey(program)) {
                rates.add("ceiling: pipes in one JVM, warm", Product.FLOOR, program.toString(), ceiling(program), 1);
            }
        }
        return List.of(rates, processor);
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
                table.add(program.program(), program.title(), cell(program, state, Figure.ELAPSED, JDK),
                        cell(program, state, Figure.ELAPSED, JFS), Table.number(rate.median()), rate.interval(),
                        cell(program, state, Figure.PROCESSOR, JDK), cell(program, state, Figure.PROCESSOR, JFS),
                        Table.number(processor.median()), processor.interval());
            }
        }
        return table;
    }

    private String cell(NetworkProgram program, State state, Figure figure, boolean side) {
        return Table.number(micros(program, state, figure, side));
    }

    /** The processor time of each end, and how many of the client's connections were fast: the least and the most of all forks. */
    public Table ends(State state) {
        Table table = new Table(
                "program", state + ": operation", "client: JDK CPU us", "JFS CPU us", "CPU to JDK", "server: JDK CPU us", "JFS CPU us",
                "CPU to JDK", "fast");
        for (NetworkProgram program : times.keySet()) {
            if (has(program, state)) {
                List<String> cells = new ArrayList<>(List.of(program.program(), program.title()));
                for (Figure figure : List.of(Figure.CLIENT_PROCESSOR, Figure.SERVER_PROCESSOR)) {
                    cells.add(cell(program, state, figure, JDK));
                    cells.add(cell(program, state, figure, JFS));
                    cells.add(Table.number(turns(program, state, figure).ratioOfTurns(JFS, JDK).median()));
                }
                LongSummaryStatistics of = fast.getOrDefault(program, new LongSummaryStatistics());
                cells.add(of.getCount() == 0 ? "-" : of.getMin() == of.getMax() ? "" + of.getMin() : of.getMin() + ".." + of.getMax());
                table.add(cells.toArray(String[]::new));
            }
        }
        return table;
    }

    /** Adds a fork of warm JVMs to the ceiling: the turns over the JDK, over JFS and over pipes in one JVM. */
    public void addCeiling(NetworkProgram program, Map<Side, List<Players.Turn>> turns) throws ChildFailure {
        Map<Side, double[]> elapsed = new EnumMap<>(Side.class);
        for (Map.Entry<Side, List<Players.Turn>> each : turns.entrySet()) {
            elapsed.put(each.getKey(), figures(Figure.ELAPSED, each.getValue()));
        }
        ceilings.computeIfAbsent(program, none -> new Turns<>()).add(elapsed);
    }

    /** How many times the JDK's rate the program has over pipes. */
    private Statistics.Estimate ceiling(NetworkProgram program) {
        return ceilings.get(program).ratioOfTurns(Side.JDK, Side.PIPES);
    }

    /** A row for each program that was measured over pipes too; empty if there is none. */
    public Optional<Table> ceilings() {
        Table table = new Table("program", "warm: operation", "JDK us", "JFS us", "pipes us", "ceiling", "interval", "of ceiling %",
                "interval");
        ceilings.forEach((program, turns) -> {
            Statistics.Estimate ofCeiling = turns.ratioOfTurns(Side.PIPES, program.side());
            List<String> cells = new ArrayList<>(List.of(program.program(), program.title()));
            for (Side side : List.of(Side.JDK, program.side(), Side.PIPES)) {
                cells.add(Table.number(turns.median(side) * 1e6));
            }
            cells.addAll(List.of(Table.number(ceiling(program).median()), ceiling(program).interval(), percent(ofCeiling.median()),
                    percent(ofCeiling.low()) + ".." + percent(ofCeiling.high())));
            table.add(cells.toArray(String[]::new));
        });
        return ceilings.isEmpty() ? Optional.empty() : Optional.of(table);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f", 100 * share);
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
        for (NetworkProgram program : ceilings.keySet()) {
            goals.add(Goal.atLeastOrCeiling(REQUEST_RATE_LEAST, ceiling(program).median(), program + ", request rate",
                    rate(program, State.WARM).median()));
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

    /** Microseconds of an operation over pipes; empty if it was not measured. */
    private String pipes(NetworkProgram program, State state) {
        return state == State.WARM && ceilings.containsKey(program)
                ? String.format(Locale.ROOT, "%.3f", ceilings.get(program).median(Side.PIPES) * 1e6)
                : "";
    }

    public String csv() {
        StringBuilder text = new StringBuilder("program,operation,state,jdk_us,jfs_us,rate,rate_low,rate_high,"
                + "jdk_cpu_us,jfs_cpu_us,cpu,cpu_low,cpu_high,pipes_us\n");
        for (NetworkProgram program : times.keySet()) {
            for (State state : State.values()) {
                if (has(program, state)) {
                    Statistics.Estimate rate = rate(program, state);
                    Statistics.Estimate processor = processor(program, state);
                    text.append(String.format(
                            Locale.ROOT, "%s,\"%s\",%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%s%n",
                            program.program(), program.title(), state, micros(program, state, Figure.ELAPSED, JDK),
                            micros(program, state, Figure.ELAPSED, JFS), rate.median(), rate.low(), rate.high(),
                            micros(program, state, Figure.PROCESSOR, JDK), micros(program, state, Figure.PROCESSOR, JFS),
                            processor.median(), processor.low(), processor.high(), pipes(program, state)));
                }
            }
        }
        return text.toString();
    }
}
