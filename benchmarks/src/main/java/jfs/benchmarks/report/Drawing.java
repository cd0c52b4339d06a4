package jfs.benchmarks.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a plot as SVG. A median is a marker, and its interval is the line through the marker. */
final class Drawing {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 560;
    private static final int TICKS_WIDTH = 700;
    /** From this ratio of the largest figure to the smallest one on, the y axis is logarithmic. */
    private static final double LOGARITHMIC_FROM = 10;
    private static final double BESIDE = 0.12; // between two series at the same label; labels have a distance of 1
    private static final List<Marker> MARKERS = List.of(SeriesMarkers.CIRCLE, SeriesMarkers.DIAMOND, SeriesMarkers.SQUARE,
            SeriesMarkers.TRIANGLE_UP);

    private Drawing() {}

    static XYChart chart(Plot plot) {
        boolean logarithmic = isLogarithmic(plot);
        XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title(plot.title()).xAxisTitle(plot.x())
                .yAxisTitle(plot.y() + (logarithmic ? " (logarithmic)" : "")).build();
        List<String> labels = plot.labels();
        chart.getStyler()
                .setYAxisLogarithmic(logarithmic)
                .setYAxisDecimalPattern("#,##0.####")
                .setXAxisMin(-0.5)
                .setXAxisMax(labels.size() - 0.5);
        if (!logarithmic) {
            chart.getStyler().setYAxisMin(0.0);
        }
        chart.getStyler()
                .setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 16))
                .setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14))
                .setPlotGridLinesColor(new Color(0xDD, 0xDD, 0xDD))
                .setChartBackgroundColor(Color.WHITE)
                .setChartTitleBoxVisible(false)
                .setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 18))
                .setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15))
                .setLegendPosition(LegendPosition.OutsideE)
                .setLegendBorderColor(new Color(0xBB, 0xBB, 0xBB));
        chart.getStyler().setXAxisTickMarkSpacingHint(TICKS_WIDTH / (2 * labels.size())); // a tick at each label, or two
        chart.setCustomXAxisTickLabelsFormatter(position -> {
            int label = (int) Math.round(position);
            boolean isLabel = Math.abs(position - label) < 0.01 && label >= 0 && label < labels.size();
            // XChart wants each tick to have another text, so that ticks without a label have different numbers of spaces.
            return isLabel ? labels.get(label) : " ".repeat(1 + (int) Math.round(4 * Math.abs(position + 1)));
        });
        List<Plot.Series> all = plot.series();
        for (int i = 0; i < all.size(); i++) {
            add(chart, all.get(i), labels, (i - (all.size() - 1) / 2.0) * BESIDE, MARKERS.get(i % MARKERS.size()));
        }
        return chart;
    }

    private static boolean isLogarithmic(Plot plot) {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (Plot.Series series : plot.series()) {
            for (Plot.Point point : series.points().values()) {
                least = Math.min(least, point.low());
                most = Math.max(most, point.high());
            }
        }
        return least > 0 && most / least >= LOGARITHMIC_FROM;
    }

    private static void add(XYChart chart, Plot.Series series, List<String> labels, double shift, Marker marker) {
        int points = series.points().size();
        double[] x = new double[points];
        double[] medians = new double[points];
        double[] ends = new double[3 * points]; // the two ends of an interval, then a gap
        double[] positions = new double[3 * points];
        int i = 0;
        for (Map.Entry<String, Plot.Point> each : series.points().entrySet()) {
            x[i] = labels.indexOf(each.getKey()) + shift;
            medians[i] = each.getValue().median();
            Arrays.fill(positions, 3 * i, 3 * i + 3, x[i]);
            ends[3 * i] = each.getValue().low();
            ends[3 * i + 1] = each.getValue().high();
            ends[3 * i + 2] = Double.NaN;
            i++;
        }
        XYSeries intervals = chart.addSeries(series.name() + ", intervals", positions, ends);
        intervals.setMarker(SeriesMarkers.NONE).setLineColor(series.product().color()).setLineStyle(new BasicStroke(3));
        intervals.setShowInLegend(false);
        XYSeries line = chart.addSeries(series.name(), x, medians);
        line.setMarker(marker).setMarkerColor(series.product().color()).setLineColor(series.product().color());
        line.setLineStyle(new BasicStroke(1, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND, 1, new float[] {2, 5}, 0));
    }

    /** The plot as an SVG document. Its text is drawn by outlines, so it needs no font. */
    static byte[] svg(Plot plot) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            VectorGraphicsEncoder.saveVectorGraphic(chart(plot), bytes, VectorGraphicsFormat.SVG);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory is no device that fails
        }
        return bytes.toByteArray();
    }
}
