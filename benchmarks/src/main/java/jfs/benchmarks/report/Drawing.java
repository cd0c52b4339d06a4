package jfs.benchmarks.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import jfs.benchmarks.report.Plot.Over;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws a plot. A median is a marker, and its interval is the line through the marker. Labels that are too long to stand side by side
 * stand one below the other, at the left: then the figures go from left to right.
 */
final class Drawing {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 560;
    private static final int TICKS_WIDTH = 850;
    private static final int TICKS_HEIGHT = 400;
    private static final int AROUND_ROWS = 170; // the height of title, axis and legend
    private static final int ROW_LEAST = 26;
    private static final int OF_A_SERIES = 9; // of the height of a row
    /** The most characters of all labels that fit side by side. */
    private static final int CHARACTERS = 80;
    /** From this ratio of the largest figure to the smallest one on, the axis of the figures is logarithmic. */
    private static final double LOGARITHMIC_FROM = 10;
    /** The distance of two series at the same label, side by side or one below the other. Labels have a distance of 1. */
    private static final double BESIDE = 0.12;
    private static final double BELOW = 0.2;
    /** The colour of all text and of nothing else, so that a test can find the text. */
    private static final Color TEXT = new Color(0x11, 0x11, 0x11);
    private static final Color GRID = new Color(0xDD, 0xDD, 0xDD);
    private static final Color MARK = new Color(0x99, 0x99, 0x99);
    private static final List<Marker> MARKERS = List.of(SeriesMarkers.CIRCLE, SeriesMarkers.DIAMOND, SeriesMarkers.SQUARE,
            SeriesMarkers.TRIANGLE_UP, SeriesMarkers.TRIANGLE_DOWN);

    private final Plot plot;
    private final List<String> labels;
    private final boolean rows;
    private final boolean logarithmic;
    private final XYChart chart;

    private Drawing(Plot plot) {
        this.plot = plot;
        labels = new ArrayList<>(plot.labels());
        rows = labels.stream().mapToInt(label -> label.length() + 2).sum() > CHARACTERS;
        if (rows) {
            Collections.reverse(labels); // the axis goes up
        }
        logarithmic = isLogarithmic();
        String figures = plot.y() + (logarithmic ? " (logarithmic)" : "");
        String over = plot.x() + (plot.over() == Over.SIZES ? " (logarithmic)" : "");
        int ofARow = Math.max(ROW_LEAST, OF_A_SERIES * (1 + plot.series().size()));
        chart = new XYChartBuilder().width(WIDTH).height(rows ? AROUND_ROWS + labels.size() * ofARow : HEIGHT).title(plot.title())
                .xAxisTitle(rows ? figures : over).yAxisTitle(rows ? over : figures).build();
    }

    /** Only if nothing is 0 or below. */
    private boolean isLogarithmic() {
        double least = points().mapToDouble(Plot.Point::low).min().orElse(0);
        return least > 0 && points().mapToDouble(Plot.Point::high).max().orElse(0) / least >= LOGARITHMIC_FROM;
    }

    private Stream<Plot.Point> points() {
        return plot.series().stream().flatMap(series -> series.points().stream());
    }

    static XYChart chart(Plot plot) {
        return new Drawing(plot).draw();
    }

    private XYChart draw() {
        style(chart.getStyler());
        setAxes(chart.getStyler());
        if (!Double.isNaN(plot.mark())) {
            addMark();
        }
        List<Plot.Series> all = plot.series();
        for (int i = 0; i < all.size(); i++) {
            double shift = plot.over() == Over.LABELS ? (i - (all.size() - 1) / 2.0) * (rows ? -BELOW : BESIDE) : 0;
            add(all.get(i), shift, MARKERS.get(i % MARKERS.size()));
        }
        return chart;
    }

    private static void style(XYStyler styler) {
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 16))
                .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14))
                .setAxisTickLabelsColor(TEXT)
                .setAxisTickPadding(8)
                .setPlotGridLinesColor(GRID)
                .setPlotContentSize(0.96)
                .setChartBackgroundColor(Color.WHITE)
                .setChartFontColor(TEXT)
                .setChartTitleBoxVisible(false)
                .setChartTitlePadding(12)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 18))
                .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15))
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendLayout(LegendLayout.Horizontal)
                .setLegendBorderColor(Color.WHITE);
        styler.setMarkerSize(8);
    }

    /** A pattern, not a function, for numbers: with a function, XChart labels a logarithmic axis as if it were linear. */
    private void setAxes(XYStyler styler) {
        String pattern = "#,##0.####";
        styler.setXAxisDecimalPattern(pattern).setYAxisDecimalPattern(pattern);
        if (logarithmic) {
            widenToTwoLabels(styler);
        }
        boolean fromZero = !logarithmic && points().allMatch(point -> point.low() >= 0);
        if (rows) {
            styler.setXAxisLogarithmic(logarithmic);
            if (fromZero) {
                styler.setXAxisMin(0.0);
            }
            styler.setYAxisMin(-0.5).setYAxisMax(labels.size() - 0.5);
            styler.setYAxisTickMarkSpacingHint((chart.getHeight() - AROUND_ROWS) / (2 * labels.size()));
            chart.setCustomYAxisTickLabelsFormatter(labelsAt());
        } else {
            styler.setYAxisLogarithmic(logarithmic);
            if (fromZero) {
                styler.setYAxisMin(0.0);
            }
            switch (plot.over()) {
                case LABELS -> {
                    styler.setXAxisMin(-0.5).setXAxisMax(labels.size() - 0.5);
                    // A tick at each label, or two. A hint of more than the height would leave the other axis without labels.
                    styler.setXAxisTickMarkSpacingHint(TICKS_WIDTH / (2 * Math.max(2, labels.size())));
                    chart.setCustomXAxisTickLabelsFormatter(labelsAt());
                }
                case NUMBERS -> styler.setXAxisMin(0.0);
                case SIZES -> styler.setXAxisLogarithmic(true);
            }
        }
    }

    /**
     * XChart labels only the powers of ten on a logarithmic axis. If the figures have only one of them between them, the axis goes on to the
     * next one, above or below, whichever is nearer.
     */
    private void widenToTwoLabels(XYStyler styler) {
        double least = Math.log10(figures().min().orElseThrow());
        double most = Math.log10(figures().max().orElseThrow());
        double first = Math.ceil(least);
        if (Math.floor(most) > first) {
            return;
        }
        double above = first + 1 - most;
        double below = least - (first - 1);
        if (above <= below) {
            BiConsumer<XYStyler, Double> end = rows ? XYStyler::setXAxisMax : XYStyler::setYAxisMax;
            end.accept(styler, Math.pow(10, first + 1));
        } else {
            BiConsumer<XYStyler, Double> end = rows ? XYStyler::setXAxisMin : XYStyler::setYAxisMin;
            end.accept(styler, Math.pow(10, first - 1));
        }
    }

    /** The ends of all intervals, and the figure that has a line. */
    private DoubleStream figures() {
        DoubleStream ends = points().flatMapToDouble(point -> DoubleStream.of(point.low(), point.high()));
        return Double.isNaN(plot.mark()) ? ends : DoubleStream.concat(ends, DoubleStream.of(plot.mark()));
    }

    private Function<Double, String> labelsAt() {
        return position -> {
            int label = (int) Math.round(position);
            boolean isLabel = Math.abs(position - label) < 0.01 && label >= 0 && label < labels.size();
            // XChart wants each tick to have another text, so that ticks without a label have different numbers of spaces.
            return isLabel ? labels.get(label) : " ".repeat(1 + (int) Math.round(4 * Math.abs(position + 1)));
        };
    }

    private void addMark() {
        double from = -0.5;
        double to = labels.size() - 0.5;
        if (plot.over() != Over.LABELS) {
            from = points().mapToDouble(Plot.Point::at).min().orElse(0);
            to = points().mapToDouble(Plot.Point::at).max().orElse(1);
        }
        XYSeries line = addSeries("mark", List.of(from, to), List.of(plot.mark(), plot.mark()));
        line.setMarker(SeriesMarkers.NONE).setLineColor(MARK).setLineStyle(new BasicStroke(2)).setShowInLegend(false);
    }

    private void add(Plot.Series series, double shift, Marker marker) {
        List<Double> at = new ArrayList<>();
        List<Double> medians = new ArrayList<>();
        List<Double> positions = new ArrayList<>();
        List<Double> ends = new ArrayList<>(); // the two ends of an interval, then a gap
        for (Plot.Point point : series.points()) {
            double position = (rows ? labels.size() - 1 - point.at() : point.at()) + shift;
            at.add(position);
            medians.add(point.median());
            // XChart knows a gap by its vertical position.
            positions.addAll(List.of(position, position, rows ? Double.NaN : position));
            ends.addAll(List.of(point.low(), point.high(), rows ? point.high() : Double.NaN));
        }
        XYSeries intervals = addSeries(series.name() + ", intervals", positions, ends);
        intervals.setMarker(SeriesMarkers.NONE).setLineColor(series.product().color()).setLineStyle(new BasicStroke(3));
        intervals.setShowInLegend(false);
        XYSeries line = addSeries(series.name(), at, medians);
        line.setMarker(marker).setMarkerColor(series.product().color()).setLineColor(series.product().color());
        if (plot.over() == Over.LABELS) {
            boolean ordered = !rows && labels.stream().allMatch(label -> label.matches("[\\d.,:]+"));
            line.setLineStyle(ordered ? new BasicStroke(1, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 1, new float[] {2, 5}, 0)
                    : new BasicStroke(0, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 1, new float[] {0, 1000}, 0));
        } else {
            line.setLineStyle(new BasicStroke(1.5f));
        }
    }

    private XYSeries addSeries(String name, List<Double> at, List<Double> figures) {
        return rows ? chart.addSeries(name, figures, at) : chart.addSeries(name, at, figures);
    }

    /** The plot as an SVG document. Its text is drawn by outlines, so it needs no font. Coordinates have two decimals, which is enough. */
    static String svg(Plot plot) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            VectorGraphicsEncoder.saveVectorGraphic(chart(plot), bytes, VectorGraphicsFormat.SVG);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory is no device that fails
        }
        return bytes.toString(StandardCharsets.UTF_8).replaceAll("(\\.\\d\\d)\\d+", "$1");
    }

    static void save(Plot plot, Path file) throws IOException {
        BitmapEncoder.saveBitmap(chart(plot), file.toString(), BitmapFormat.PNG);
    }
}
