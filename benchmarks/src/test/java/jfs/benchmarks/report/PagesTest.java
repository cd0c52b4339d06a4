package jfs.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import jfs.benchmarks.statistics.Statistics;
import jfs.benchmarks.statistics.Turns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.knowm.xchart.XYChart;

class PagesTest {
    private static Plot plot(double... forks) {
        Turns<String> turns = new Turns<>();
        for (double fork : forks) {
            turns.add(Map.of("JFS", new double[] {fork}));
        }
        Plot plot = new Plot("Time", "message, bytes", "microseconds", "Lower is faster.");
        plot.add("JFS", Product.JFS, "64", turns.estimate("JFS"), 1e6);
        return plot;
    }

    @Test
    void aPointHasItsMedianAndItsIntervalInTheUnitOfTheAxis() {
        XYChart chart = Drawing.chart(plot(1e-6, 2e-6, 4e-6));
        assertEquals(2, chart.getSeriesMap().get("JFS").getYData()[0], 1e-9);
        double[] interval = chart.getSeriesMap().get("JFS, intervals").getYData();
        assertEquals(List.of(1.0, 4.0), List.of(interval[0], interval[1]));
        assertEquals("microseconds", chart.getYAxisTitle());
        assertFalse(chart.getStyler().isYAxisLogarithmic());
    }

    @Test
    void figuresThatAreFarApartHaveALogarithmicAxis() {
        XYChart chart = Drawing.chart(plot(1e-6, 2e-6, 40e-6));
        assertTrue(chart.getStyler().isYAxisLogarithmic());
        assertEquals("microseconds (logarithmic)", chart.getYAxisTitle());
    }

    /** Title, two titles of axes, "64" with two blank labels beside it, the legend, and at the axis of the figures these. */
    @ParameterizedTest
    @CsvSource({"1, 10", "0.5, 9", "0.15, 2", "15, 200", "1.5, 90"})
    void aLogarithmicAxisHasTwoLabels(double low, double high) {
        Plot plot = plot(low * 1e-6, low * 1e-6, high * 1e-6);
        assertTrue(Drawing.chart(plot).getStyler().isYAxisLogarithmic());
        assertEquals(7 + 2, Drawing.svg(plot).split("fill:rgb\\(17,17,17\\)").length - 1);
    }

    /** Ratios of processor times that the clock did not see. */
    @Test
    void whatWasNotMeasuredIsLeftOutAndAFigureOfZeroHasNoLogarithmicAxis() {
        Plot plot = Plot.toJdk("CPU", "program", "times the JDK's", "");
        plot.add("JFS", Product.JFS, "a", Double.NaN);
        plot.add("JFS", Product.JFS, "b", Double.POSITIVE_INFINITY);
        assertTrue(plot.isEmpty());
        plot.add("JFS", Product.JFS, "c", 0);
        plot.add("JFS", Product.JFS, "d", 40);
        assertEquals(List.of(0.0, 40.0), plot.medians("JFS"));
        XYChart chart = Drawing.chart(plot);
        assertFalse(chart.getStyler().isYAxisLogarithmic());
        assertEquals(1, chart.getSeriesMap().get("mark").getYData()[0], "the JDK's");
    }

    @Test
    void longLabelsStandOneBelowTheOtherWithTheFirstAtTheTop() {
        Plot plot = new Plot("Rates", "program", "times the JDK's rate", "");
        for (int i = 0; i < 4; i++) {
            plot.add("JFS", Product.JFS, "a program with a long name, number " + i, i + 1);
        }
        XYChart chart = Drawing.chart(plot);
        assertEquals("times the JDK's rate", chart.getXAxisTitle());
        assertEquals(1, chart.getSeriesMap().get("JFS").getXData()[0], "the figure of the first label");
        assertEquals(3, chart.getSeriesMap().get("JFS").getYData()[0], "its place, from below");
    }

    @Test
    void aNumberStandsWhereItBelongs() {
        Plot plot = new Plot("Time", Plot.Over.SIZES, "message, bytes", "microseconds", "");
        plot.add("JFS", Product.JFS, 64, new Statistics.Estimate(2, 1, 4, 0.95), 1);
        assertTrue(Drawing.chart(plot).getStyler().isXAxisLogarithmic());
        assertEquals(64, Drawing.chart(plot).getSeriesMap().get("JFS").getXData()[0]);
    }

    @Test
    void aGainBelowOneIsALoss() {
        assertEquals("JFS is 2.00 (1.00..4.00) times faster.", Report.faster(new Statistics.Estimate(2, 1, 4, 0.95)));
        assertEquals(
                "JFS is slower: it takes 2.00 (1.00..4.00) times as long.", Report.faster(new Statistics.Estimate(0.5, 0.25, 1, 0.95)));
    }

    @Test
    void aLineTellsOfALoadAboveTheNumberOfCores() {
        assertEquals(Optional.of("Note: other programs used the processors when this began (load 2.01 on 2 cores), so the figures are"
                + " not those of a quiet machine."), Machine.busy("2.01, 0.50, 0.10", 2));
        assertEquals(Optional.empty(), Machine.busy("2.00, 5.00, 5.00", 2));
        assertEquals(Optional.empty(), Machine.busy("unknown", 1));
    }

    @Test
    void thePlotSaysInWordsWhatItShows() {
        assertEquals("Time. Over: message, bytes. Figures: microseconds. Series: JFS.", plot(1, 1, 1).inWords());
    }
}
