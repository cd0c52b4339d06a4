package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;

/** What idle connections cost the selectors they are registered with: the round trips of one more connection, CPU and memory. */
public final class IdleTimes {
    /** The sides that are compared. */
    public static final List<Side> SIDES = List.of(Side.JDK, Side.AGENT_NIO);

    /** CPU of both processes, in percent of one core, that may be used for idle connections. It is counted in ticks of 10 ms. */
    private static final double PERCENT_MOST = 0.2;

    /** The sockets, and whether connections are idle beside the one that talks. */
    public record Pair(Side side, boolean idle) {
        /** All pairs of processes, which are measured in turns. */
        public static List<Pair> all() {
            return SIDES.stream().flatMap(side -> List.of(false, true).stream().map(idle -> new Pair(side, idle))).toList();
        }

        @Override
        public String toString() {
            return side + (idle ? ", with idle connections" : ", without idle connections");
        }
    }

    /** What is measured of a pair. Times are seconds. */
    private enum Figure {
        ROUND,
        PROCESSOR,
        /** Seconds of processor time in a second in which no connection is used. */
        CLIENT_IDLE,
        SERVER_IDLE
    }

    private static final String SERVER = "server-";

    /** The number of idle connections. */
    private final int connections;
    private final Map<Figure, Turns<Pair>> figures = new EnumMap<>(Figure.class);
    /** What the two processes of a pair hold, by the names of {@code SelectorServer.HELD}: a turn for each fork. */
    private final Map<String, Turns<Pair>> held = new TreeMap<>();
    private final Set<String> summaries = new LinkedHashSet<>();

    public IdleTimes(int connections) {
        this.connections = connections;
    }

    public int connections() {
        return connections;
    }

    /** Adds the conversations of a fork. Each pair has the same number of turns. */
    public void talked(Map<Pair, List<Players.Turn>> turns) throws ChildFailure {
        add(figures, Figure.ROUND, turns, Players.Turn::round);
        add(figures, Figure.PROCESSOR, turns, Players.Turn::processor);
    }

    /** Adds what the pairs of a fork have used while no connection was used, in one turn each. */
    public void waited(Map<Pair, List<Players.Turn>> turns) throws ChildFailure {
        add(figures, Figure.CLIENT_IDLE, turns, turn -> turn.clientSeconds() / turn.seconds("nanos"));
        add(figures, Figure.SERVER_IDLE, turns, turn -> turn.serverSeconds() / turn.seconds("nanos"));
    }

    /** Adds what the processes of a fork hold, in one turn for each pair. */
    public void held(Map<Pair, List<Players.Turn>> turns) throws ChildFailure {
        for (String key : turns.values().iterator().next().get(0).figures().keySet()) {
            add(held, key, turns, turn -> turn.figure(key));
        }
    }

    private interface Value {
        double of(Players.Turn turn) throws ChildFailure;
    }

    private static <K> void add(Map<K, Turns<Pair>> to, K key, Map<Pair, List<Players.Turn>> turns, Value value) throws ChildFailure {
        Map<Pair, double[]> values = new HashMap<>();
        for (Map.Entry<Pair, List<Players.Turn>> each : turns.entrySet()) {
            double[] of = new double[each.getValue().size()];
            for (int i = 0; i < of.length; i++) {
                of[i] = value.of(each.getValue().get(i));
            }
            values.put(each.getKey(), of);
        }
        to.computeIfAbsent(key, none -> new Turns<>()).add(values);
    }

    /** Adds what JFS says of the client's connections. */
    public void summary(Pair pair, String summary) {
        summaries.add(pair + ": " + summary);
    }

    private String title(boolean idle) {
        return idle ? Integer.toString(connections) : "0";
    }

    /** The conversation beside no idle connections and beside all of them: JFS to the JDK. */
    public Table conversations() {
        Turns<Pair> rounds = figures.get(Figure.ROUND);
        Turns<Pair> processor = figures.get(Figure.PROCESSOR);
        Table table = new Table("idle connections", "JDK us", "JFS us", "rate to JDK", "interval", "JDK CPU us", "JFS CPU us",
                "CPU to JDK", "interval");
        for (boolean idle : new boolean[] {false, true}) {
            Pair jdk = new Pair(Side.JDK, idle);
            Pair jfs = new Pair(Side.AGENT_NIO, idle);
            Statistics.Estimate rate = rounds.ratioOfTurns(jdk, jfs);
            Statistics.Estimate cpu = processor.ratioOfTurns(jfs, jdk);
            table.add(title(idle), rounds.micros(jdk), rounds.micros(jfs), Table.number(rate.median()), rate.interval(),
                    processor.micros(jdk), processor.micros(jfs), Table.number(cpu.median()), cpu.interval());
        }
        return table;
    }

    /** How many times the time, or the processor time, of a round trip without idle connections it takes with them. */
    private Statistics.Estimate cost(Side side, Figure figure) {
        return figures.get(figure).ratioOfTurns(new Pair(side, true), new Pair(side, false));
    }

    /** What the idle connections cost: the conversation beside them, and the processes while it is idle too. */
    public Table costs() {
        Table table = new Table("", "time to none idle", "interval", "CPU to none idle", "interval", "all idle: client CPU %",
                "none idle", "server CPU %", "none idle");
        for (Side side : SIDES) {
            Statistics.Estimate time = cost(side, Figure.ROUND);
            Statistics.Estimate cpu = cost(side, Figure.PROCESSOR);
            List<String> cells = new ArrayList<>(List.of(side.toString(), Table.number(time.median()), time.interval(),
                    Table.number(cpu.median()), cpu.interval()));
            for (Figure figure : List.of(Figure.CLIENT_IDLE, Figure.SERVER_IDLE)) {
                for (boolean idle : new boolean[] {true, false}) {
                    cells.add(Table.number(percent(figure, new Pair(side, idle))));
                }
            }
            table.add(cells.toArray(String[]::new));
        }
        return table;
    }

    private double percent(Figure figure, Pair pair) {
        return 100 * figures.get(figure).median(pair);
    }

    /** How much more the process holds because of one idle connection. */
    private double each(String key, Side side) {
        return held.get(key).difference(new Pair(side, true), new Pair(side, false)).median() / connections;
    }

    /** What each process holds for one idle connection. */
    public Table memory() {
        Table table = new Table("", "an idle connection at the", "heap bytes", "resident bytes", "of it shared", "descriptors", "mappings");
        for (Side side : SIDES) {
            for (String end : List.of("", SERVER)) {
                table.add(side.toString(), end.isEmpty() ? "client" : "server", whole(each(end + "heap", side)),
                        whole(each(end + "resident", side)), whole(each(end + "shared", side)),
                        Table.number(each(end + "descriptors", side)), Table.number(each(end + "mappings", side)));
            }
        }
        return table;
    }

    private static String whole(double bytes) {
        return String.format(Locale.ROOT, "%.0f", bytes);
    }

    public List<Goal> goals() {
        String with = connections + " idle connections, JFS: ";
        double more = 0;
        for (Figure figure : List.of(Figure.CLIENT_IDLE, Figure.SERVER_IDLE)) {
            more += percent(figure, new Pair(Side.AGENT_NIO, true)) - percent(figure, new Pair(Side.AGENT_NIO, false));
        }
        return List.of(
                Goal.noSlower(with + "time to none idle", cost(Side.AGENT_NIO, Figure.ROUND)),
                Goal.noSlower(with + "CPU to none idle", cost(Side.AGENT_NIO, Figure.PROCESSOR)),
                Goal.noMoreProcessor(PERCENT_MOST, with + "CPU above none idle", more));
    }

    /** What JFS has logged about the clients' connections, pair by pair. */
    public String switching() {
        return String.join("\n", summaries);
    }

    /** The round trip of a connection whose selectors have idle connections too, and of one without these. */
    public Plot plot() {
        Plot plot = new Plot("One connection that talks, beside idle connections in the same selectors", "idle connections",
                "64 bytes there and back, microseconds", "Lower is faster.");
        for (Pair pair : Pair.all()) {
            plot.add(pair.side() == Side.JDK ? "JDK" : "JFS", pair.side() == Side.JDK ? Product.JDK : Product.JFS, title(pair.idle()),
                    figures.get(Figure.ROUND).estimate(pair), 1e6);
        }
        return plot;
    }

    public String csv() {
        StringBuilder text = new StringBuilder("side,idle,us,cpu_us,client_idle_percent,server_idle_percent");
        held.keySet().forEach(key -> text.append(',').append(key.replace('-', '_')));
        text.append('\n');
        for (Pair pair : Pair.all()) {
            text.append(String.format(Locale.ROOT, "\"%s\",%s,%.3f,%.3f,%.3f,%.3f", pair.side(), title(pair.idle()),
                    figures.get(Figure.ROUND).median(pair) * 1e6, figures.get(Figure.PROCESSOR).median(pair) * 1e6,
                    percent(Figure.CLIENT_IDLE, pair), percent(Figure.SERVER_IDLE, pair)));
            held.values().forEach(each -> text.append(String.format(Locale.ROOT, ",%.0f", each.median(pair))));
            text.append('\n');
        }
        return text.toString();
    }
}
