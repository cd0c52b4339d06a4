package netpipe;

import java.io.IOException;

/** Goes through the sizes at one end: agrees on the repeats of each size, measures the size and reports the result. */
final class Sweep {

    private static final int TRIALS = 3;
    private static final int LEAST_REPEATS = 3;
    private static final int ESTIMATE_REPEATS = 100;
    /** A message that takes as long as this ends the sweep. */
    private static final double LONGEST_SECONDS = 1.0;
    private static final int MOST_SAMPLES = 7997;
    /** Used instead of a time that is too short for the resolution of times on the wire. */
    private static final double SHORTEST_SECONDS = 1e-6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Options options;
    private final Link link;
    private final int upper;
    private final Report report;

    /** @param upper the largest size; the socket buffers may allow less than the options */
    Sweep(Options options, Link link, int upper, Report report) {
        this.options = options;
        this.link = link;
        this.upper = upper;
        this.report = report;
    }

    void run() throws IOException {
        double last = estimate();
        report.begin();
        Buffers buffers = new Buffers(options.cached(), options.sendOffset(), options.receiveOffset());
        Trial trial = new Trial(link, buffers, options.stream(), options.integrity());
        int previous = options.lower();
        int sample = 0;
        for (Sizes.Step step : new Sizes(options.lower(), upper, options.perturbation())) {
            if (last >= LONGEST_SECONDS || sample >= MOST_SAMPLES) {
                break;
            }
            for (int size : step.sizes()) {
                if (!link.syncOrQuit()) {
                    link.quit();
                    return;
                }
                int repeats = agreeOnRepeats(sample, previous, step.increment(), last);
                buffers.resize(size);
                report.start(sample, size, repeats);
                last = measure(trial, buffers, repeats);
                report.result(options.bothWays() ? 2L * size : size, repeats, last);
                previous = size;
                sample++;
            }
        }
        link.quit();
    }

    /** Estimates the one-way time of the first size, by ping-pongs in every mode. */
    private double estimate() throws IOException {
        Buffers buffers = new Buffers(true, 0, 0);
        buffers.resize(options.lower());
        Trial pingPong = new Trial(link, buffers, false, false);
        link.sync();
        long start = System.nanoTime();
        if (options.transmitter()) {
            pingPong.initiate(ESTIMATE_REPEATS);
        } else {
            pingPong.respond(ESTIMATE_REPEATS);
        }
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND / (2 * ESTIMATE_REPEATS);
        link.sync();
        resetIfWanted();
        return seconds;
    }

    private int agreeOnRepeats(int sample, int previous, int increment, double last) throws IOException {
        if (!options.transmitter()) {
            return link.receiveRepeats();
        }
        int repeats = options.repeats() > 0 ? options.repeats()
                : Math.max(sample == 0 ? options.firstRepeats() : 0,
                        repeats(options.trialSeconds(), previous, increment, last));
        link.sendRepeats(repeats);
        return repeats;
    }

    /**
     * How many messages take about {@code seconds} one way, supposing that their time grows as their size does.
     *
     * @param previous the size last measured
     * @param last the one-way time of that size, seconds
     */
    static int repeats(double seconds, int previous, int increment, double last) {
        return (int) Math.max(seconds / (previous / (previous - increment + 1.0) * last), LEAST_REPEATS);
    }

    /** The one-way time of a message: the least time of the trials. For a stream the receiver's time counts at both ends. */
    private double measure(Trial trial, Buffers buffers, int repeats) throws IOException {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < (options.integrity() ? 1 : TRIALS); i++) {
            buffers.flushCache();
            link.sync();
            long start = System.nanoTime();
            if (options.transmitter() || options.bothWays()) {
                trial.initiate(repeats);
            } else {
                trial.respond(repeats);
            }
            double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND / repeats;
            // A round of a ping-pong is two messages, one after the other. In the other modes it is one message, each way.
            least = Math.min(least, options.stream() || options.bothWays() ? seconds : seconds / 2);
            resetIfWanted();
        }
        if (options.stream()) {
            if (options.transmitter()) {
                least = link.receiveTime();
            } else {
                link.sendTime(least);
            }
        }
        return least == 0 ? SHORTEST_SECONDS : least;
    }

    private void resetIfWanted() throws IOException {
        if (options.resetting()) {
            link.reset();
        }
    }
}
