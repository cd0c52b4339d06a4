package jfs.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jfs.benchmarks.statistics.Statistics;

/** The figures of a plot: for each series a median with its interval at some of the labels of the x axis. */
public final class Plot {
    /** A median and its interval, in the unit of the y axis. */
    record Point(double median, double low, double high) {}

    /** @param points the points by their labels on the x axis */
    record Series(String name, Product product, Map<String, Point> points) {}

    private final String title;
    private final String x;
    private final String y;
    private final Map<String, Series> series = new LinkedHashMap<>();

    /** @param x the title of the x axis, with its unit if it has one; {@code y} is that of the y axis */
    public Plot(String title, String x, String y) {
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** Adds a figure. @param scale what one unit of the estimate is in units of the y axis */
    public void add(String name, Product product, String label, Statistics.Estimate estimate, double scale) {
        series.computeIfAbsent(name, none -> new Series(name, product, new LinkedHashMap<>())).points
                .put(label, new Point(estimate.median() * scale, estimate.low() * scale, estimate.high() * scale));
    }

    String title() {
        return title;
    }

    String x() {
        return x;
    }

    String y() {
        return y;
    }

    List<Series> series() {
        return List.copyOf(series.values());
    }

    /** All labels, in the order in which they were added. */
    List<String> labels() {
        return new ArrayList<>(series.values().stream().flatMap(each -> each.points.keySet().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new)));
    }

    /** The plot in words, for those who can't see it. Its figures are in the tables. */
    String inWords() {
        return title + ". The x axis is: " + x + ". The y axis is: " + y + ". Series: " + String.join(", ", series.keySet()) + ".";
    }
}
