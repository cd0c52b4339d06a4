package jfs.conformance.soak;

import java.awt.Color;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Measurements over time of the processes that stay, as lines of a CSV file and as a picture. */
final class Series implements AutoCloseable {

    private static final String TITLES = "seconds,connections,attached,megabytes,kills,open,heap KB,resident KB,"
            + "descriptors,threads,keys";

    private final PrintStream file;
    private final List<Row> rows = new ArrayList<>();

    Series(PrintStream file) {
        this.file = file;
        file.println(TITLES);
    }

    /**
     * One measurement.
     *
     * @param connections that have ended, of all processes so far
     * @param attached how many of these, and of those that are open, are fast
     * @param bytes read and checked
     * @param open at the servers that stay; the values after it are of all processes that stay
     * @param heapBytes after the last collections
     */
    record Row(long seconds, long connections, long attached, long bytes, long kills, long open, long heapBytes,
            long residentBytes, long descriptors, long threads, long keys) {

        static Row of(long seconds, Fleet fleet) throws IOException {
            long open = 0;
            long heap = 0;
            long resident = 0;
            long descriptors = 0;
            long threads = 0;
            long keys = 0;
            for (Member member : fleet.residents()) {
                Map<String, Long> figures = member.figures("figures");
                open += member.serves ? figures.get("open") : 0;
                heap += figures.get("heap");
                resident += member.residentBytes();
                descriptors += member.descriptors();
                threads += figures.get("threads");
                keys += figures.get("keys");
            }
            return new Row(seconds, fleet.sum("ended", false), fleet.sum("attached", false),
                    fleet.sum("read", false) + fleet.sum("read", true), fleet.kills(), open, heap, resident,
                    descriptors, threads, keys);
        }

        private String csv() {
            return String.join(",", "" + seconds, "" + connections, "" + attached, "" + bytes / 1_000_000, "" + kills,
                    "" + open, "" + (heapBytes >> 10), "" + (residentBytes >> 10), "" + descriptors, "" + threads,
                    "" + keys);
        }

        @Override
        public String toString() {
            return String.format("%,d connections (%,d fast), %,d MB, %d kills, %d open; residents: heap %d MB, "
                    + "resident %d MB, %d descriptors, %d threads, %d keys", connections, attached, bytes / 1_000_000, kills,
                    open, heapBytes >> 20, residentBytes >> 20, descriptors, threads, keys);
        }
    }

    void add(Row row) {
        rows.add(row);
        file.println(row.csv());
        file.flush();
    }

    /** Writes a picture. */
    void draw(Path png) throws IOException {
        List<XYChart> charts = List.of(chart("connections open", Row::open),
                chart("descriptors", Row::descriptors),
                chart("heap after collections, MB", row -> row.heapBytes >> 20),
                chart("resident memory of their own, MB", row -> row.residentBytes >> 20));
        BitmapEncoder.saveBitmap(charts, 2, 2, png.toString(), BitmapFormat.PNG);
    }

    private XYChart chart(String what, ToLongFunction<Row> value) {
        XYChart chart = new XYChartBuilder().width(600).height(320).title(what).xAxisTitle("seconds").build();
        chart.getStyler().setYAxisMin(0.0).setLegendVisible(false).setChartBackgroundColor(Color.WHITE)
                .setChartTitleBoxVisible(false);
        chart.addSeries(what, rows.stream().mapToDouble(Row::seconds).toArray(),
                rows.stream().mapToDouble(row -> value.applyAsLong(row)).toArray()).setMarker(SeriesMarkers.NONE);
        return chart;
    }

    @Override
    public void close() {
        file.close();
    }
}
