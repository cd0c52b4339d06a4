package jfs.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import jfs.benchmarks.statistics.Turns;
import org.junit.jupiter.api.Test;
import org.knowm.xchart.XYChart;

class PagesTest {
    private static Plot plot(double... forks) {
        Turns<String> turns = new Turns<>();
        for (double fork : forks) {
            turns.add(Map.of("JFS", new double[] {fork}));
        }
        Plot plot = new Plot("Time", "message, bytes", "microseconds");
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

    @Test
    void thePlotSaysInWordsWhatItShows() {
        assertEquals("Time. The x axis is: message, bytes. The y axis is: microseconds. Series: JFS.", plot(1, 1, 1).inWords());
    }
}
