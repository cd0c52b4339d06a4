package jfs.benchmarks.results;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import jfs.benchmarks.programs.NetworkProgram;
import jfs.benchmarks.programs.Side;
import jfs.benchmarks.report.Product;
import jfs.benchmarks.statistics.Statistics;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws latency and bandwidth over the message's size (both axes logarithmic), the gains of whole programs, and the round trips of
 * programs that have just started.
 */
public final class Plots {
    private static final Color JDK = Product.JDK.color();
    private static final Color JFS = Product.JFS.color();
    private static final Color AGENT = Product.AGENT.color();
    private static final Color FLOOR = Product.FLOOR.color();

    private static final List<Marker> MARKERS = List.of(SeriesMarkers.CIRCLE, SeriesMarkers.DIAMOND, SeriesMarkers.SQUARE,
            SeriesMarkers.TRIANGLE_UP);

    /** A pattern, not a formatting function: with a function, XChart labels a logarithmic axis as if it were linear. */
    private static final String PLAIN = "#,##0.####";

    private Plots() {}

    public static void latency(Comparison comparison, Path file) throws IOException {
        XYChart chart = netPipe("latency", "one way, microseconds", LegendPosition.InsideNW);
        addAll(chart, comparison, row -> row.jdk() * 1e6, row -> row.jfs() * 1e6, row -> row.floor() * 1e6);
        save(chart, file);
    }

    public static void bandwidth(Comparison comparison, Path file) throws IOException {
        XYChart chart = netPipe("bandwidth", "MB/s (1 MB = 1,000,000 bytes)", LegendPosition.InsideSE);
        addAll(chart, comparison, Comparison.Row::jdkMegabytes, Comparison.Row::jfsMegabytes, row -> row.bytes() / row.floor() * 1e-6);
        save(chart, file);
    }

    /** Draws the rate of each operation as a multiple of the JDK's rate. */
    public static void gains(List<OperationRow> rows, Path file) throws IOException {
        CategoryChart chart = new CategoryChartBuilder()
                .width(1200)
                .height(800)
                .title("Client and server in two JVMs on one host: rate, times the JDK's")
                .yAxisTitle("times the JDK's rate")
                .build();
        style(chart.getStyler(), LegendPosition.InsideNE);
        chart.getStyler().setAvailableSpaceFill(0.8).setXAxisLabelRotation(30);
        boolean onlyOne = rows.stream().map(OperationRow::program).distinct().count() == 1;
        List<String> names = rows.stream().map(row -> (onlyOne ? "" : row.program() + ": ") + row.operation()).toList();
        addBars(chart, "JFS by launcher", names, gains(rows, Side.JFS), JFS);
        addBars(chart, "JFS by agent", names, gains(rows, Side.AGENT), AGENT);
        addBars(chart, "ceiling: pipes within one JVM", names, gains(rows, Side.PIPES), FLOOR);
        save(chart, file);
    }

    /** Draws the rate and the processor time of each operation as multiples of the JDK's, in each state that was measured. */
    public static void programs(ProgramTimes measured, Path file) throws IOException {
        CategoryChart chart = new CategoryChartBuilder()
                .width(1600)
                .height(900)
                .title("Programs, client and server in two JVMs on one host: to the JDK's sockets")
                .yAxisTitle("times the JDK's")
                .build();
        style(chart.getStyler(), LegendPosition.InsideNE);
        chart.getStyler()
                .setDefaultSeriesRenderStyle(CategorySeriesRenderStyle.Scatter) // bars begin at 0, which this axis does not have
                .setXAxisLabelRotation(60)
                .setYAxisLogarithmic(true)
                .setYAxisDecimalPattern(PLAIN);
        List<NetworkProgram> programs = measured.measured();
        List<String> names = programs.stream().map(NetworkProgram::toString).toList();
        for (ProgramTimes.State state : ProgramTimes.State.values()) {
            if (measured.has(state)) {
                boolean warm = state == ProgramTimes.State.WARM;
                addPoints(chart, "rate, " + state, names, points(programs, each -> measured.rate(each, state)), warm ? JFS : AGENT,
                        SeriesMarkers.CIRCLE);
                addPoints(chart, "CPU, " + state, names, points(programs, each -> measured.processor(each, state)), warm ? JDK : FLOOR,
                        SeriesMarkers.DIAMOND);
            }
        }
        save(chart, file);
    }

    /** Draws the round trip of a connection whose selectors have idle connections too, and one without these. */
    public static void idle(IdleTimes measured, Path file) throws IOException {
        CategoryChart chart = new CategoryChartBuilder()
                .width(1200)
                .height(800)
                .title("One connection that talks, in selectors of two JVMs on one host")
                .xAxisTitle("idle connections in the same selectors")
                .yAxisTitle("64 bytes there and back, microseconds")
                .build();
        style(chart.getStyler(), LegendPosition.InsideNE);
        List<String> names = List.of("0", Integer.toString(measured.connections()));
        addBars(chart, "JDK", names, measured.micros(Side.JDK), JDK);
        addBars(chart, "JFS", names, measured.micros(Side.AGENT_NIO), JFS);
        save(chart, file);
    }

    private static void addPoints(
            CategoryChart chart, String name, List<String> names, List<Double> values, Color color, Marker marker) {
        chart.addSeries(name, names, values).setMarkerColor(color).setMarker(marker);
    }

    /**
     * The medians, made fit for a logarithmic axis. If turns are too short for the clock of processor time, it shows no time for them. A
     * ratio of such turns is 0, infinite or NaN.
     */
    private static List<Double> points(List<NetworkProgram> programs, Function<NetworkProgram, Statistics.Estimate> of) {
        return programs.stream()
                .map(each -> of.apply(each).median())
                .map(ratio -> Double.isNaN(ratio) ? 1 : Math.min(Math.max(ratio, 0.01), 100))
                .toList();
    }

    /** Draws the rate over the time since the first request. */
    public static void firstSeconds(FirstSeconds measured, Path file) throws IOException {
        XYChart chart = chart("Two JVMs on one host that have just started", "seconds since the first request",
                "thousand round trips a second", LegendPosition.InsideSE);
        chart.getStyler().setXAxisMin(0.0);
        List<Integer> pairs = measured.pairs();
        for (int i = 0; i < pairs.size(); i++) {
            for (Side side : FirstSeconds.SIDES) {
                // A step without an answer has no place on a logarithmic axis.
                List<FirstSeconds.Point> points =
                        measured.curve(pairs.get(i), side).stream().filter(point -> point.rate() > 0).toList();
                if (points.isEmpty()) {
                    continue;
                }
                XYSeries series = chart.addSeries(side + ", " + FirstSeconds.title(pairs.get(i)),
                        points.stream().mapToDouble(FirstSeconds.Point::seconds).toArray(),
                        points.stream().mapToDouble(point -> point.rate() / 1000).toArray());
                style(series, side == Side.JDK ? JDK : JFS);
                series.setLineStyle(dashed(2.5f, i));
                series.setMarker(MARKERS.get(i % MARKERS.size()));
            }
        }
        save(chart, file);
    }

    private static List<Double> gains(List<OperationRow> rows, Side side) {
        return rows.stream().map(row -> row.gain(side).median()).toList();
    }

    private static void addBars(CategoryChart chart, String name, List<String> names, List<Double> medians, Color color) {
        chart.addSeries(name, names, medians).setFillColor(color);
    }

    private static XYChart netPipe(String what, String unit, LegendPosition legend) {
        XYChart chart = chart("NetPIPE between two JVMs on one host: " + what, "message, bytes", unit, legend);
        chart.getStyler().setXAxisLogarithmic(true);
        return chart;
    }

    /** The y axis is logarithmic. */
    private static XYChart chart(String title, String x, String y, LegendPosition legend) {
        XYChart chart = new XYChartBuilder()
                .width(1200)
                .height(800)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        chart.getStyler()
                .setYAxisLogarithmic(true)
                .setXAxisDecimalPattern(PLAIN)
                .setYAxisDecimalPattern(PLAIN);
        style(chart.getStyler(), legend);
        return chart;
    }

    private static void style(AxesChartStyler styler, LegendPosition legend) {
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 18))
                .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15))
                .setAxisTickPadding(10)
                .setPlotGridLinesColor(new Color(0xDD, 0xDD, 0xDD))
                .setChartBackgroundColor(Color.WHITE)
                .setChartTitleBoxVisible(false)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 22))
                .setLegendPosition(legend)
                .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 17))
                .setLegendBorderColor(new Color(0xBB, 0xBB, 0xBB));
    }

    private static void addAll(
            XYChart chart,
            Comparison comparison,
            ToDoubleFunction<Comparison.Row> jdk,
            ToDoubleFunction<Comparison.Row> jfs,
            ToDoubleFunction<Comparison.Row> floor) {
        style(add(chart, "JDK sockets", comparison.rows(), jdk), JDK);
        style(add(chart, "Java Fast Sockets", comparison.rows(), jfs), JFS);
        List<Comparison.Row> withFloor = comparison.rows().stream().filter(row -> !Double.isNaN(row.floor())).toList();
        if (!withFloor.isEmpty()) {
            XYSeries series = style(add(chart, "floor: C, shared memory", withFloor, floor), FLOOR);
            series.setMarker(SeriesMarkers.DIAMOND);
            series.setLineStyle(dashed(1.5f, 1));
        }
    }

    private static XYSeries add(XYChart chart, String name, List<Comparison.Row> rows, ToDoubleFunction<Comparison.Row> y) {
        double[] sizes = rows.stream().mapToDouble(Comparison.Row::bytes).toArray();
        return chart.addSeries(name, sizes, rows.stream().mapToDouble(y).toArray());
    }

    /** @param gaps 0: none; the more, the wider */
    private static BasicStroke dashed(float width, int gaps) {
        return gaps == 0
                ? new BasicStroke(width)
                : new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 1, new float[] {6, 6 * gaps}, 0);
    }

    private static XYSeries style(XYSeries series, Color color) {
        series.setMarkerColor(color);
        series.setMarker(SeriesMarkers.CIRCLE);
        series.setLineColor(color);
        series.setLineStyle(new BasicStroke(2.5f));
        return series;
    }

    private static void save(Chart<?, ?> chart, Path file) throws IOException {
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    }
}
