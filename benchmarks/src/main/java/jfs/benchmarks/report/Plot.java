package jfs.benchmarks.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jfs.benchmarks.statistics.Statistics;

/** The figures of a plot: some series, each with medians and their intervals over labels or over numbers. */
public final class Plot {
    /** What the figures stand over. */
    public enum Over {
        LABELS,
        NUMBERS,
        /** Positive numbers that are far apart. */
        SIZES
    }

    /** A median and its interval, in the unit of the figures. @param at the number that it belongs to, or the index of its label */
    record Point(double at, double median, double low, double high) {}

    /** Points of the same kind. */
    record Series(String name, Product product, List<Point> points) {}

    private final String title;
    private final Over over;
    private final String x;
    private final String y;
    private final String note;
    private final List<String> labels = new ArrayList<>();
    private final Map<String, Series> series = new LinkedHashMap<>();
    private double mark = Double.NaN;

    /**
     * Makes a plot over labels.
     *
     * @param x what the labels are, with the unit if they have one
     * @param y what the figures are, with their unit
     * @param note a sentence that says how to read it, as in "Lower is faster."
     */
    public Plot(String title, String x, String y, String note) {
        this(title, Over.LABELS, x, y, note);
    }

    /** As the other constructor, over anything. */
    public Plot(String title, Over over, String x, String y, String note) {
        this.title = title;
        this.over = over;
        this.x = x;
        this.y = y;
        this.note = note;
    }

    /** Makes a plot of figures that are relative to the JDK's, with a line at 1. @param better what is above 1, or below it */
    public static Plot toJdk(String title, String x, String y, String better) {
        Plot plot = new Plot(title, x, y, "The grey line is the JDK's sockets. " + better);
        plot.mark(1);
        return plot;
    }

    /** Draws a line through all figures of this value. */
    public void mark(double value) {
        mark = value;
    }

    /** Adds a figure over a label. @param scale what one unit of the estimate is in units of the plot's figures */
    public void add(String name, Product product, String label, Statistics.Estimate estimate, double scale) {
        if (!labels.contains(label)) {
            labels.add(label);
        }
        add(name, product, labels.indexOf(label), estimate, scale);
    }

    /** Adds a figure without an interval over a label. */
    public void add(String name, Product product, String label, double figure) {
        add(name, product, label, new Statistics.Estimate(figure, figure, figure, 0), 1);
    }

    /** Adds a figure over a number. Leaves it out if nothing was measured, so that its median is infinite or not a number. */
    public void add(String name, Product product, double at, Statistics.Estimate estimate, double scale) {
        Series to = series.computeIfAbsent(name, none -> new Series(name, product, new ArrayList<>()));
        double median = estimate.median() * scale;
        if (Double.isFinite(median)) {
            to.points.add(new Point(at, median, finite(estimate.low() * scale, median), finite(estimate.high() * scale, median)));
        }
    }

    private static double finite(double value, double otherwise) {
        return Double.isFinite(value) ? value : otherwise;
    }

    /** The medians of that series, in the unit of the plot's figures. */
    public List<Double> medians(String name) {
        return series.get(name).points.stream().map(Point::median).toList();
    }

    String title() {
        return title;
    }

    Over over() {
        return over;
    }

    String x() {
        return x;
    }

    String y() {
        return y;
    }

    String note() {
        return note;
    }

    /** The figure that has a line; NaN if none has. */
    double mark() {
        return mark;
    }

    /** The series that have points. */
    List<Series> series() {
        return series.values().stream().filter(each -> !each.points.isEmpty()).toList();
    }

    /** All labels, in the order in which they were added. */
    List<String> labels() {
        return labels;
    }

    /** Whether there is anything to draw. */
    boolean isEmpty() {
        return series().isEmpty();
    }

    /** The plot in words, for those who can't see it. Its figures are in the tables. */
    String inWords() {
        return title + ". Over: " + x + ". Figures: " + y + ". Series: " + String.join(", ", series.keySet()) + ".";
    }

    /** Writes the plot as a PNG file. Writes nothing if there is nothing to draw. */
    public void save(Path file) throws IOException {
        if (!isEmpty()) {
            Drawing.save(this, file);
        }
    }
}
