package jfs.benchmarks.measurements;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jfs.benchmarks.output.Progress;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.processes.ChildFailure;
import jfs.benchmarks.processes.Players;
import jfs.benchmarks.programs.Installation;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;

/**
 * Makes connections at a given rate for a given time, and compares what both processes hold before and after. The JVMs have their
 * whole heap from the beginning, so that resident memory grows by native memory only.
 */
public final class Endurance {
    private static final double TURN_SECONDS = 1;
    private static final List<String> FIXED_HEAP = List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch");

    /** What a process holds, and by how much it may grow in a run: caches fill, and the JVM starts threads when it needs them. */
    private enum Held {
        HEAP("heap", "heap KB", 1 << 10, 1 << 20),
        JFS("jfs", "JFS objects", 1, 40),
        RESIDENT("resident", "resident KB", 1 << 10, 16 << 20),
        DESCRIPTORS("descriptors", "descriptors", 1, 4),
        THREADS("threads", "threads", 1, 4),
        MAPPINGS("mappings", "mappings", 1, 40);

        private final String key;
        private final String title;
        private final double unit;
        private final double more;

        Held(String key, String title, double unit, double more) {
            this.key = key;
            this.title = title;
            this.unit = unit;
            this.more = more;
        }
    }

    /** The run of one side. */
    private record Run(Players.Turn before, double connections, double seconds, Players.Turn after) {}

    private final Map<Side, Run> runs = new EnumMap<>(Side.class);

    /** Runs one side after the other. */
    public void run(Installation installation, int calls, double rate, int seconds, Progress progress)
            throws ChildFailure, InterruptedException {
        for (Side side : List.of(Side.JDK, Side.JFS)) {
            progress.now(side + ": until it is warm");
            try (Players players = Connections.start(installation, side, calls, rate, FIXED_HEAP)) {
                players.take(TURN_SECONDS, 1);
                players.take(0, 1); // the first question for what a process holds takes memory itself
                Players.Turn before = players.take(0, 1);
                double connections = 0;
                double nanos = 0;
                for (int second = 1; second <= seconds; second++) {
                    progress.now(String.format("%s: second %d of %d", side, second, seconds));
                    Players.Turn taken = players.take(TURN_SECONDS, 1);
                    connections += taken.figure("rounds");
                    nanos += taken.figure("nanos");
                }
                add(side, before, connections, nanos * 1e-9, players.take(0, 1));
                players.finish();
            }
            progress.done(side + ": " + seconds + " seconds");
        }
    }

    /** @param before what both processes of a side held before the run @param after the same after the run */
    void add(Side side, Players.Turn before, double connections, double seconds, Players.Turn after) {
        runs.put(side, new Run(before, connections, seconds, after));
    }

    public Table table() throws ChildFailure {
        List<String> titles = new ArrayList<>(List.of("", "connections/s", "end"));
        for (Held held : Held.values()) {
            titles.add(held.title);
        }
        Table table = new Table(titles.toArray(String[]::new));
        for (Map.Entry<Side, Run> side : runs.entrySet()) {
            for (String end : List.of("client", "server")) {
                Run run = side.getValue();
                List<String> cells = new ArrayList<>(List.of(side.getKey().toString(),
                        String.format(Locale.ROOT, "%.0f", run.connections / run.seconds), end));
                for (Held held : Held.values()) {
                    cells.add(String.format(Locale.ROOT, "%.0f to %.0f", of(run.before, end, held) / held.unit,
                            of(run.after, end, held) / held.unit));
                }
                table.add(cells.toArray(String[]::new));
            }
        }
        return table;
    }

    /** What each process holds after the run, in percent of before. */
    public Plot plot() throws ChildFailure {
        Plot plot = new Plot("What a process holds after the connections", "what, and at which end", "percent of before",
                "The grey line is as much as before. To the right of it there is more than before.");
        plot.mark(100);
        for (Map.Entry<Side, Run> side : runs.entrySet()) {
            for (String end : List.of("client", "server")) {
                for (Held held : Held.values()) {
                    plot.add(side.getKey().toString(), side.getKey() == Side.JDK ? Product.JDK : Product.JFS,
                            end + ": " + held.title.replace(" KB", ""),
                            100 * of(side.getValue().after, end, held) / of(side.getValue().before, end, held));
                }
            }
        }
        return plot;
    }

    /** A line for each side. */
    public String verdict() throws ChildFailure {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Side, Run> side : runs.entrySet()) {
            List<String> grown = new ArrayList<>();
            for (String end : List.of("client", "server")) {
                for (Held held : Held.values()) {
                    if (of(side.getValue().after, end, held) > of(side.getValue().before, end, held) + held.more) {
                        grown.add(end + "'s " + held.title);
                    }
                }
            }
            text.append(String.format(Locale.ROOT, "%s: after %.0f connections %s.%n", side.getKey(), side.getValue().connections,
                    grown.isEmpty() ? "nothing has grown" : "more: " + String.join(", ", grown)));
        }
        return text.toString();
    }

    private static double of(Players.Turn turn, String end, Held held) throws ChildFailure {
        return turn.figure(end.equals("server") ? "server-" + held.key : held.key);
    }
}
