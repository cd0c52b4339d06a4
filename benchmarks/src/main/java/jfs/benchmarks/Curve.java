package jfs.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** How many round trips there had been by when: what one run's client has counted, {@code workloads.startup.FirstRequests}. */
record Curve(List<Look> looks) {
    /** Seconds after the beginning. */
    record Look(double seconds, double count) {}

    /** @param text {@code NANOS=COUNT ...} */
    static Curve parse(String text) {
        List<Look> looks = new ArrayList<>();
        for (String look : text.split(" ")) {
            String[] numbers = look.split("=");
            looks.add(new Look(Long.parseLong(numbers[0]) * 1e-9, Long.parseLong(numbers[1])));
        }
        return new Curve(looks);
    }

    /** Between two looks the rate is taken for even: on a busy machine a look comes late, and then it counts as of when it was. */
    double at(double seconds) {
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
