package jfs.benchmarks.statistics;

import java.util.Locale;
import jfs.benchmarks.output.Table;

/**
 * A measured figure, nearly always a ratio, and the figure that it should reach. A goal whose figure was not measured (NaN) is not
 * met.
 */
public record Goal(String what, double measured, String unit, String bound, boolean met) {
    private Goal(String what, double ratio, String bound, boolean met) {
        this(what, ratio, "x", bound, met);
    }

    public static Goal atMost(double limit, String what, double measured) {
        return new Goal(what, measured, "<= " + plain(limit) + " x", measured <= limit);
    }

    public static Goal atLeast(double limit, String what, double measured) {
        return new Goal(what, measured, ">= " + plain(limit) + " x", measured >= limit);
    }

    /**
     * At least the limit, or 80 % of what the program itself allows. {@code ceiling} is what the program gains over pipes within one
     * process.
     */
    public static Goal atLeastOrCeiling(double limit, double ceiling, String what, double measured) {
        String bound = ">= " + plain(limit) + " x, or 80 % of the ceiling's " + Table.number(ceiling) + " x";
        return new Goal(what, measured, bound, measured >= Math.min(limit, 0.8 * ceiling));
    }

    /**
     * At most {@code limit} times the floor. If a figure is faster than the floor by more than noise, other load on the machine has slowed
     * the floor program down. Such a figure would always meet its goal, so it counts as not measured.
     */
    public static Goal overFloor(double limit, String what, double measured) {
        return measured < 0.9
                ? new Goal(what, Double.NaN, "<= " + plain(limit) + " x (other load disturbed the floor: measure again)", false)
                : atMost(limit, what, measured);
    }

    /** A cost that is not above the other side's, as far as the interval shows, or is less than a tenth above it. */
    public static Goal noSlower(String what, Statistics.Estimate cost) {
        return new Goal(what, cost.median(), "1 x within the interval, or all below 1.1 x", cost.low() <= 1 || cost.high() < 1.1);
    }

    /** Bytes above the JDK's. */
    public static Goal noMoreBytes(double limit, String what, double more) {
        return new Goal(what, more, "B", "<= " + plain(limit) + " B", more <= limit);
    }

    /** Processor time above the other side's, in percent of one core. */
    public static Goal noMoreProcessor(double limit, String what, double more) {
        return new Goal(what, more, "%", "<= " + plain(limit) + " %", more <= limit);
    }

    private static String plain(double limit) {
        return limit == Math.rint(limit) ? Long.toString((long) limit) : Double.toString(limit);
    }

    /** The measured figure with its unit. */
    public String figure() {
        return Table.number(measured) + " " + unit;
    }

    public String verdict() {
        return met ? "met" : "not met";
    }

    @Override
    public String toString() {
        String figure = Table.number(measured);
        return String.format(Locale.ROOT, "%-42s %7s %s   goal %s   %s", what, figure, unit, bound, verdict());
    }
}
