package jfs.benchmarks.results;

import java.util.ArrayList;
import java.util.List;

/** The number of round trips over time in one run, as its client {@code workloads.startup.FirstRequests} has counted them. */
public record Curve(List<Look> looks) {
    /** A look at the count. @param seconds after the beginning @param count the round trips until then */
    record Look(double seconds, double count) {}

    /** @param text {@code NANOS=COUNT ...} */
    public static Curve parse(String text) {
        List<Look> looks = new ArrayList<>();
        for (String look : text.split(" ")) {
            String[] numbers = look.split("=");
            looks.add(new Look(Long.parseLong(numbers[0]) * 1e-9, Long.parseLong(numbers[1])));
        }
        return new Curve(looks);
    }

    /**
     * The number of round trips until then. The rate between two looks is taken as constant. On a busy machine a look comes late. Its
     * actual time counts then.
     */
    public double at(double seconds) {
        Look before = new Look(0, 0);
        for (Look look : looks) {
            if (look.seconds >= seconds) {
                double share = (seconds - before.seconds) / (look.seconds - before.seconds);
                return before.count + share * (look.count - before.count);
            }
            before = look;
        }
        return before.count;
    }

    /** Round trips a second. */
    double rate(double from, double to) {
        return (at(to) - at(from)) / (to - from);
    }
}
