package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Turns;
import workloads.preferences.Stated;
import workloads.preferences.Work;

/** The times of all {@link Part}s, of connections whose program prefers something and of those whose program does not. */
public final class PreferenceTimes {
    /** The sockets, and what their program states. Both ends state the same. */
    public enum Way {
        JDK("JDK's sockets", Side.JDK, Stated.NOTHING, Product.JDK),
        JFS("JFS", Side.JFS, Stated.NOTHING, Product.JFS),
        /** What the preference of processor time has to be better than: it changes the same for all connections of the process. */
        NO_POLLS("jfs.poll.micros=0", Side.JFS, Stated.NOTHING, Product.FLOOR),
        CPU("cpu > latency", Side.JFS, Stated.CPU, Product.AGENT),
        LATENCY("latency > cpu", Side.JFS, Stated.LATENCY, Product.LIBRARY),
        BANDWIDTH("bandwidth > latency", Side.JFS, Stated.BANDWIDTH, Product.AGENT);

        private final String title;
        private final Side side;
        private final Stated stated;
        private final Product product;

        Way(String title, Side side, Stated stated, Product product) {
            this.title = title;
            this.side = side;
            this.stated = stated;
            this.product = product;
        }

        public String title() {
            return title;
        }

        public Side side() {
            return side;
        }

        public Stated stated() {
            return stated;
        }

        /** Settings of the JVM. */
        public List<String> settings() {
            return this == NO_POLLS ? List.of("-Djfs.poll.micros=0") : List.of();
        }
    }

    /** What {@code workloads.preferences.WorkingClient} measures, by its key. */
    public enum Figure {
        WHOLE("whole"),
        CALL("call"),
        CLIENT("client"),
        SERVER("server");

        private final String key;

        Figure(String key) {
            this.key = key;
        }

        /** The key of the figure in a turn of the client. */
        public String key(Work work) {
            return key + work;
        }
    }

    /** Works that a pair of JVMs does in one turn, the ways that are compared for them, and the figures that matter, with their titles. */
    public enum Part {
        SENT("A writer that computes after each message",
                List.of(Work.SENT_5, Work.SENT_20, Work.SENT_60), List.of(Way.JDK, Way.JFS, Way.NO_POLLS, Way.CPU),
                Map.of(Figure.CALL, "write call", Figure.SERVER, "reader CPU", Figure.WHOLE, "a message")),
        ANSWERED("Requests and answers",
                List.of(Work.ANSWERED), List.of(Way.JDK, Way.JFS, Way.NO_POLLS, Way.CPU, Way.LATENCY),
                Map.of(Figure.WHOLE, "round trip", Figure.CLIENT, "client CPU", Figure.SERVER, "server CPU")),
        SERVED("A server that computes before it answers",
                List.of(Work.SERVED), List.of(Way.JDK, Way.JFS, Way.CPU, Way.LATENCY),
                Map.of(Figure.CALL, "beyond the service", Figure.CLIENT, "client CPU")),
        LARGE("Large messages",
                List.of(Work.ECHO_64K, Work.ECHO_1M, Work.STREAM_64K, Work.STREAM_1M), List.of(Way.JDK, Way.JFS, Way.BANDWIDTH),
                Map.of(Figure.WHOLE, "a message"));

        private final String title;
        private final List<Work> works;
        private final List<Way> ways;
        private final Map<Figure, String> figures;

        Part(String title, List<Work> works, List<Way> ways, Map<Figure, String> figures) {
            this.title = title;
            this.works = works;
            this.ways = ways;
            this.figures = new EnumMap<>(figures);
        }

        public List<Work> works() {
            return works;
        }

        public List<Way> ways() {
            return ways;
        }
    }

    private record Key(Work work, Figure figure) {}

    private final Map<Key, Turns<Way>> times = new LinkedHashMap<>();
    private long fast;
    private long shouldBeFast;

    /** Seconds for a message. */
    public Turns<Way> of(Work work, Figure figure) {
        return times.computeIfAbsent(new Key(work, figure), none -> new Turns<>());
    }

    /** Adds how many connections over JFS were switched to a fast path. */
    public void switched(long ofThem, long connections) {
        fast += ofThem;
        shouldBeFast += connections;
    }

    /** @param turns the number of turns in a fork */
    public Report report(List<Part> parts, int forks, int turns) {
        Report report = new Report("preferences", "JFS.setPreferences: connections with a preference beside those without one",
                "A client and a server, in a JVM each, both state the same preferences for their connections. Pairs of JVMs that state"
                        + " something else take turns with them.", Report.forks(forks));
        for (Part part : parts) {
            report.heading(part.title);
            part.figures.keySet().forEach(figure -> report.plot(plot(part, figure)));
            report.line(part.title + ":");
            report.table(table(part));
            report.line("");
        }
        report.line(Turns.legend(forks, turns));
        report.line("A time is that of one message, or of a request and its answer. To JFS: to the figure of JFS without a preference,\n"
                + "less is better. Beyond the service: by how much longer an answer takes than the server has computed. CPU: processor\n"
                + "time of the process, with what it computes.");
        report.line("");
        report.goals(goals(parts));
        report.line(String.format("%d of %d connections over JFS were switched%s.", fast, shouldBeFast,
                fast == shouldBeFast ? "" : "; the others ran over plain TCP"));
        return report;
    }

    private Plot plot(Part part, Figure figure) {
        boolean rate = part == Part.LARGE;
        Plot plot = new Plot(part.title + ": " + part.figures.get(figure), "message", rate ? "MB/s" : "microseconds",
                rate ? "Higher is faster." : "Less is better.");
        for (Work work : part.works) {
            Turns<Way> measured = of(work, figure);
            for (Way way : part.ways) {
                if (rate) {
                    plot.add(way.title, way.product, work.title(), measured.estimate(way).inverse(), work.bytes() * 1e-6);
                } else {
                    plot.add(way.title, way.product, work.title(), measured.estimate(way), 1e6);
                }
            }
        }
        return plot;
    }

    private Table table(Part part) {
        List<String> heads = new ArrayList<>(List.of("message", "way"));
        for (String title : part.figures.values()) {
            heads.add(title + ", us");
            heads.add("to JFS");
        }
        Table table = new Table(heads.toArray(String[]::new));
        for (Work work : part.works) {
            for (Way way : part.ways) {
                List<String> cells = new ArrayList<>(List.of(work.title(), way.title));
                for (Figure figure : part.figures.keySet()) {
                    Turns<Way> measured = of(work, figure);
                    cells.add(measured.micros(way));
                    cells.add(way == Way.JFS ? "" : measured.ratio(way, Way.JFS).toString());
                }
                table.add(cells.toArray(String[]::new));
            }
        }
        return table;
    }

    private List<Goal> goals(List<Part> parts) {
        List<Goal> goals = new ArrayList<>();
        if (parts.contains(Part.SENT)) {
            goals.add(atMost(0.5, "cpu > latency: reader CPU", Work.SENT_20, Figure.SERVER, Way.CPU, Way.JFS));
            goals.add(atMost(1, "cpu > latency: write call", Work.SENT_20, Figure.CALL, Way.CPU, Way.JFS));
            goals.add(atMost(0.9, "naps: reader CPU to jfs.poll.micros=0", Work.SENT_20, Figure.SERVER, Way.CPU, Way.NO_POLLS));
            goals.add(atMost(0.5, "naps: write call to jfs.poll.micros=0", Work.SENT_20, Figure.CALL, Way.CPU, Way.NO_POLLS));
        }
        if (parts.contains(Part.ANSWERED)) {
            goals.add(atMost(1.1, "naps: round trip to jfs.poll.micros=0", Work.ANSWERED, Figure.WHOLE, Way.CPU, Way.NO_POLLS));
        }
        if (parts.contains(Part.SERVED)) {
            goals.add(atMost(0.7, "latency > cpu: beyond the service", Work.SERVED, Figure.CALL, Way.LATENCY, Way.JFS));
        }
        if (parts.contains(Part.LARGE)) {
            String what = "bandwidth > latency: time";
            for (Work work : List.of(Work.ECHO_64K, Work.STREAM_64K)) {
                goals.add(Goal.noSlower(what + ", " + work.title(), of(work, Figure.WHOLE).ratio(Way.BANDWIDTH, Way.JFS)));
            }
            for (Work work : List.of(Work.ECHO_1M, Work.STREAM_1M)) {
                goals.add(atMost(0.95, what, work, Figure.WHOLE, Way.BANDWIDTH, Way.JFS));
            }
        }
        return goals;
    }

    private Goal atMost(double limit, String what, Work work, Figure figure, Way way, Way to) {
        return Goal.atMost(limit, what + ", " + work.title(), of(work, figure).ratio(way, to).median());
    }
}
