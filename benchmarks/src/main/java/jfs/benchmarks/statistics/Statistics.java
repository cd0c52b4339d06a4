package jfs.benchmarks.statistics;

import java.util.Arrays;
import jfs.benchmarks.output.Table;

/** Medians and their intervals. No distribution is assumed, because none holds on a shared machine. */
public final class Statistics {
    private Statistics() {}

    public static double median(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("the median of nothing");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** A median with an interval that covers the true median with at least the probability {@code coverage}. */
    public record Estimate(double median, double low, double high, double coverage) {
        public String interval() {
            return Table.number(low) + ".." + Table.number(high);
        }

        /** The median and the interval of the inverse values, such as rates instead of times. */
        public Estimate inverse() {
            return new Estimate(1 / median, 1 / high, 1 / low, coverage);
        }

        /** As in "86.3 (80.1..91.0)". */
        @Override
        public String toString() {
            return Table.number(median) + " (" + interval() + ")";
        }
    }

    /**
     * The narrowest interval between order statistics, symmetric in rank, whose coverage is at least {@code wanted}. With too few
     * values for that, it is the interval of all values, with its coverage. (The number of values below the true median is binomial
     * with p = 1/2. The k-th least and the k-th greatest value enclose the median unless fewer than k values lie on one side.)
     */
    static Estimate estimate(double[] values, double wanted) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        int k = 1;
        double coverage = coverage(n, 1);
        while (2 * (k + 1) <= n && coverage(n, k + 1) >= wanted) {
            coverage = coverage(n, ++k);
        }
        return new Estimate(median(sorted), sorted[k - 1], sorted[n - k], coverage);
    }

    /** The probability that the k-th least and the k-th greatest of n values enclose the median. */
    private static double coverage(int n, int k) {
        double oneSide = 0;
        double probability = Math.pow(0.5, n); // of exactly i values on one side
        for (int i = 0; i < k; i++) {
            oneSide += probability;
            probability *= (double) (n - i) / (i + 1);
        }
        return 1 - 2 * oneSide;
    }
}
