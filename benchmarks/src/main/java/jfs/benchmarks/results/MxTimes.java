package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.List;
import jfs.benchmarks.output.Table;
import jfs.benchmarks.report.Plot;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.report.Report;
import jfs.benchmarks.statistics.Goal;
import jfs.benchmarks.statistics.Turns;

/** The times of messages between two hosts, of all {@link Way}s. */
public final class MxTimes {
    /** Bytes of a small and of a large message. */
    public static final int SMALL = 8;
    public static final int LARGE = 1 << 20;

    /** How a message goes from one host to the other. */
    public enum Way {
        NPTCP("TCP, NPtcp", "TCP in C: NPtcp", Product.FLOOR),
        JDK("TCP, Java's sockets", "TCP: the JDK's sockets", Product.JDK),
        UCX("UCX, ucx_perftest", "UCX in C", Product.FLOOR),
        MX("MX over UCX, in C", "MX in C", Product.LIBRARY),
        JFS("MX, Java's sockets under JFS", "MX: Java's sockets under JFS", Product.JFS);

        private final String title;
        private final String label;
        private final Product product;

        Way(String title, String label, Product product) {
            this.title = title;
            this.label = label;
            this.product = product;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    private final Turns<Way> small = new Turns<>();
    private final Turns<Way> large = new Turns<>();
    private final Turns<Way> streamed = new Turns<>();
    private final Turns<Way> asleep = new Turns<>();
    private final List<String> fallbacks = new ArrayList<>();
    private int runs;
    private int switched;

    /** Seconds one way of a small message. */
    public Turns<Way> small() {
        return small;
    }

    /** Seconds one way of a large message. */
    public Turns<Way> large() {
        return large;
    }

    /** Seconds of a large message in a stream. */
    public Turns<Way> streamed() {
        return streamed;
    }

    /** Seconds there and back of a request, one each millisecond. */
    public Turns<Way> asleep() {
        return asleep;
    }

    /** Adds what JFS has logged in a run of its side. */
    public void logged(List<String> log) {
        runs++;
        switched += log.stream().anyMatch(line -> line.endsWith(" over mx")) ? 1 : 0;
        log.stream().filter(line -> line.startsWith("jfs: fallback ")).forEach(fallbacks::add);
    }

    /** @param turns the number of turns in a fork */
    public Report report(int forks, int turns) {
        Report report = new Report("mx", "Between two hosts: Java's sockets over MX, beside TCP and UCX",
                "A message goes there and back between two network namespaces, which stand for two hosts: over TCP, over UCX, over the MX"
                        + " library from C, and over that library by Java's sockets under JFS. All take turns.",
                Report.forks(forks));
        report.plot(plot("Time of a message of 8 bytes, one way", small, 1e6, "microseconds"));
        report.plot(plot("Time of a message of 1 MB, one way", large, 1e3, "milliseconds"));
        report.plot(plot("Time of a message of 1 MB in a stream", streamed, 1e3, "milliseconds"));
        report.plot(plot("Both ends asleep: a request each millisecond, there and back", asleep, 1e6, "microseconds"));
        report.table(table());
        report.line(Turns.legend(forks, turns));
        report.line("One way, half of there and back; times are compared, also those of streams; MB = 10^6 bytes.");
        report.line("Java's sockets to MX: 8 bytes " + small.ratio(Way.JFS, Way.MX) + ", 1 MB " + large.ratio(Way.JFS, Way.MX));
        report.line("Asleep, one request a millisecond, there and back: TCP " + asleep.micros(Way.JDK) + " us, MX in C "
                + asleep.micros(Way.MX) + " us, MX " + asleep.micros(Way.JFS) + " us; MX in C to TCP " + asleep.ratio(Way.MX, Way.JDK)
                + ", MX to TCP " + asleep.ratio(Way.JFS, Way.JDK) + ", MX to MX in C " + asleep.ratio(Way.JFS, Way.MX));
        report.line("");
        report.goals(List.of(Goal.atMost(1.15, "8 bytes: MX to UCX", small.ratio(Way.MX, Way.UCX).median()),
                Goal.atMost(1.15, "1 MB in a stream: MX to UCX", streamed.ratio(Way.MX, Way.UCX).median()),
                Goal.atMost(1.25, "8 bytes: Java's sockets to MX", small.ratio(Way.JFS, Way.MX).median()),
                Goal.atMost(1.25, "1 MB: Java's sockets to MX", large.ratio(Way.JFS, Way.MX).median())));
        report.line("The connection went over MX in " + switched + " of " + runs + " runs under JFS.");
        fallbacks.forEach(report::line);
        return report;
    }

    private static Plot plot(String title, Turns<Way> measured, double scale, String unit) {
        Plot plot = new Plot(title, "way", unit, "Further to the left is faster.");
        for (Way way : Way.values()) {
            if (!measured.has(way)) {
                continue;
            }
            String series = switch (way.product) {
                case JDK -> "JDK";
                case JFS -> "JFS";
                case LIBRARY -> "JFS's library in C";
                default -> "C without JFS";
            };
            plot.add(series, way.product, way.label, measured.estimate(way), scale);
        }
        return plot;
    }

    private Table table() {
        Table table = new Table("", "8 bytes, us", "to UCX", "1 MB, us", "to UCX", "1 MB stream, MB/s", "to UCX");
        for (Way way : Way.values()) {
            boolean streams = streamed.has(way);
            table.add(way.title, small.micros(way), toUcx(small, way), large.micros(way), toUcx(large, way),
                    streams ? Table.number(LARGE / streamed.median(way) / 1e6) : "", streams ? toUcx(streamed, way) : "");
        }
        return table;
    }

    private static String toUcx(Turns<Way> measured, Way way) {
        return measured.ratio(way, Way.UCX).toString();
    }
}
