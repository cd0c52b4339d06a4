package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;
import workloads.arrays.ElementType;
import workloads.arrays.Manner;

/** The times of arrays there and back, of all {@link Way}s, types and sizes. */
public final class TypedTimes {
    private static final int LARGE = 1 << 20;
    private static final int CLAIMS_FROM = 64 << 10;

    /** How an array goes from one JVM to the other. */
    public enum Way {
        JDK_BYTES("byte[], JDK's sockets", "JDK byte[]", Manner.BYTES, Side.JDK, Product.JDK),
        JDK_DATA("DataOutputStream, JDK's sockets", "JDK Data", Manner.DATA, Side.JDK, Product.JDK),
        BYTES("byte[]", "byte[]", Manner.BYTES, Side.AGENT_NIO, Product.FLOOR),
        DATA("DataOutputStream", "Data", Manner.DATA, Side.AGENT_NIO, Product.AGENT),
        OBJECTS("ObjectOutputStream", "Object", Manner.OBJECTS, Side.AGENT_NIO, Product.AGENT),
        SIMPLE("channel, simple", "simple", Manner.SIMPLE, Side.AGENT_NIO, Product.AGENT),
        WRAP("channel, wrap", "wrap", Manner.WRAP, Side.AGENT_NIO, Product.AGENT),
        CHUNK("channel, chunk", "chunk", Manner.CHUNK, Side.AGENT_NIO, Product.AGENT),
        HYBRID("channel, hybrid", "hybrid", Manner.HYBRID, Side.AGENT_NIO, Product.AGENT),
        TYPED("TypedOutput", "typed", Manner.TYPED, Side.AGENT_NIO, Product.JFS),
        CLAIMS("claims, filled by one call", "claims", Manner.CLAIMS, Side.AGENT_NIO, Product.LIBRARY),
        COMPUTED_ARRAY("computed, an array", "array", Manner.COMPUTED_ARRAY, Side.AGENT_NIO, Product.AGENT),
        COMPUTED_PIECES("computed, pieces of 32 KB", "pieces of 32 KB", Manner.COMPUTED_PIECES, Side.AGENT_NIO, Product.JFS),
        COMPUTED_CLAIMS("computed, claims", "claims", Manner.COMPUTED_CLAIMS, Side.AGENT_NIO, Product.LIBRARY);

        private final String title;
        /** What stands in a plot's legend. */
        private final String label;
        private final Manner manner;
        private final Side side;
        private final Product product;

        Way(String title, String label, Manner manner, Side side, Product product) {
            this.title = title;
            this.label = label;
            this.manner = manner;
            this.side = side;
            this.product = product;
        }

        public Manner manner() {
            return manner;
        }

        public Side side() {
            return side;
        }

        /** Whether it exists for that type. */
        public boolean has(ElementType type) {
            return manner.has(type);
        }

        public String title() {
            return title;
        }
    }

    /** The plots of a type: a title, and the ways that stand in it. */
    private enum Picture {
        STREAMS("streams", "JDK: over the JDK's sockets. Data, Object: DataOutputStream, ObjectOutputStream. ",
                List.of(Way.JDK_BYTES, Way.JDK_DATA, Way.BYTES, Way.DATA, Way.OBJECTS, Way.TYPED, Way.CLAIMS)),
        CONVERSIONS("the conversions of java.nio", "", List.of(Way.BYTES, Way.SIMPLE, Way.WRAP, Way.CHUNK, Way.HYBRID, Way.TYPED)),
        COMPUTED("each value is computed, and added up", "", List.of(Way.COMPUTED_ARRAY, Way.COMPUTED_PIECES, Way.COMPUTED_CLAIMS));

        private final String title;
        private final String note;
        private final List<Way> ways;

        Picture(String title, String note, List<Way> ways) {
            this.title = title;
            this.note = note;
            this.ways = ways;
        }
    }

    private record Key(ElementType type, int bytes) {}

    private final Map<Key, Turns<Way>> times = new LinkedHashMap<>();
    private final Map<Key, Turns<Way>> allocated = new LinkedHashMap<>();
    private int fast;
    private int shouldBeFast;

    /** Seconds one way. */
    public Turns<Way> times(ElementType type, int bytes) {
        return times.computeIfAbsent(new Key(type, bytes), none -> new Turns<>());
    }

    /** Bytes that one end allocates to send and to receive a message. */
    public Turns<Way> allocated(ElementType type, int bytes) {
        return allocated.computeIfAbsent(new Key(type, bytes), none -> new Turns<>());
    }

    /** Adds whether a connection over JFS was switched to a fast path. */
    public void switched(boolean isFast) {
        shouldBeFast++;
        fast += isFast ? 1 : 0;
    }

    /** The rate of a way over the rate of another. */
    private static Statistics.Estimate rate(Turns<Way> measured, Way way, Way to) {
        return measured.ratio(to, way);
    }

    /** @param turns the number of turns in a fork */
    public Report report(List<ElementType> types, List<Integer> sizes, int forks, int turns) {
        Report report = new Report("typed", "Arrays of primitive types: JFS's typed streams beside the ways that Java has",
                "An array of each type and size goes there and back between two JVMs, in ways that take turns. Without another word a way"
                        + " runs over JFS.", Report.forks(forks));
        for (ElementType type : types) {
            report.heading(type.title());
            plots(type, sizes).forEach(report::plot);
            report.line(type.title() + ":");
            report.table(table(type, sizes));
            waysWithout(type).ifPresent(report::line);
            report.line("");
        }
        report.line(Turns.legend(forks, turns));
        report.line("Times are one way, half of there and back. Rates are compared. MB = 10^6 bytes. Allocated: the bytes that one\n"
                + "end allocates to send a message and to receive one.");
        report.line("");
        report.goals(goals(types, sizes));
        report.line(String.format("%d of %d connections over JFS were switched%s.", fast, shouldBeFast,
                fast == shouldBeFast ? "" : "; the others ran over plain TCP"));
        return report;
    }

    /** Names the ways that do not exist for that type. */
    private static Optional<String> waysWithout(ElementType type) {
        String none = Stream.of(Way.values()).filter(way -> !way.has(type)).map(Way::title).collect(Collectors.joining("; "));
        return none.isEmpty() ? Optional.empty() : Optional.of("No such way for " + type.title() + ": " + none + ".");
    }

    /** The plots of a type that have figures. */
    public List<Plot> plots(ElementType type, List<Integer> sizes) {
        List<Plot> plots = new ArrayList<>();
        for (Picture picture : Picture.values()) {
            Plot plot = new Plot(type.title() + ": " + picture.title, Plot.Over.SIZES, "message, bytes", "MB/s",
                    picture.note + "Higher is faster.");
            for (Way way : picture.ways) {
                for (int bytes : sizes) {
                    if (times(type, bytes).has(way)) {
                        Statistics.Estimate rate = times(type, bytes).estimate(way).inverse();
                        plot.add(way.label, way.product, bytes, rate, bytes * 1e-6);
                    }
                }
            }
            plots.add(plot);
        }
        return plots;
    }

    private Table table(ElementType type, List<Integer> sizes) {
        Table table = new Table("bytes", "way", "us", "MB/s", "to DataOutputStream", "to byte[]", "allocated B");
        for (int bytes : sizes) {
            Turns<Way> measured = times(type, bytes);
            for (Way way : Way.values()) {
                if (measured.has(way)) {
                    table.add(Integer.toString(bytes), way.title, measured.micros(way), Table.number(bytes / measured.median(way) * 1e-6),
                            rateTo(measured, way, Way.DATA), rateTo(measured, way, Way.BYTES),
                            Table.number(allocated(type, bytes).median(way)));
                }
            }
        }
        return table;
    }

    private static String rateTo(Turns<Way> measured, Way way, Way to) {
        return measured.has(to) ? rate(measured, way, to).toString() : "";
    }

    private List<Goal> goals(List<ElementType> types, List<Integer> sizes) {
        List<Goal> goals = new ArrayList<>();
        for (ElementType type : types) {
            for (int bytes : sizes) {
                Turns<Way> measured = times(type, bytes);
                String what = type.title() + ", " + bytes + " bytes: ";
                if (bytes == LARGE && type == ElementType.DOUBLE && measured.has(Way.TYPED)) {
                    addGoal(goals, 3, what + "TypedOutput to DataOutputStream", measured, Way.TYPED, Way.DATA);
                    addGoal(goals, 0.9, what + "TypedOutput to byte[]", measured, Way.TYPED, Way.BYTES);
                    for (Way way : List.of(Way.TYPED, Way.CLAIMS)) {
                        if (measured.has(way)) {
                            goals.add(Goal.noMoreBytes(1, what + way.title + ", allocated", allocated(type, bytes).median(way)));
                        }
                    }
                }
                if (bytes >= CLAIMS_FROM) {
                    addGoal(goals, 1, what + "computed, claims to an array", measured, Way.COMPUTED_CLAIMS, Way.COMPUTED_ARRAY);
                    addGoal(goals, 1, what + "computed, claims to pieces", measured, Way.COMPUTED_CLAIMS, Way.COMPUTED_PIECES);
                }
            }
        }
        return goals;
    }

    private static void addGoal(List<Goal> goals, double least, String what, Turns<Way> measured, Way way, Way to) {
        if (measured.has(way) && measured.has(to)) {
            goals.add(Goal.atLeast(least, what, rate(measured, way, to).median()));
        }
    }
}
