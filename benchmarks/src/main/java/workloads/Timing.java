package workloads;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Times operations of some microseconds. All operations are warmed up before the first one is measured. Then they are measured in
 * turn several times. So neither the compiler's work nor a drift of the machine affects only one of them. Prints the median of each.
 */
public final class Timing {
    private static final int WARMING_TURNS = 4;
    private static final int TRIALS = 5;

    /** Does the operation {@code times} times. */
    public interface Operation {
        void repeat(int times) throws Exception;
    }

    /** An operation that is done once by each call, as programs write it. */
    public interface Once {
        void run() throws Exception;
    }

    private static final class Measured {
        private final String key;
        private final Operation operation;
        private final double[] nanos = new double[TRIALS];
        private double estimate = 1_000_000; // nanoseconds

        Measured(String key, Operation operation) {
            this.key = key;
            this.operation = operation;
        }

        /** Repeats the operation for about {@code seconds} seconds. @return nanoseconds of one operation */
        double time(double seconds) throws Exception {
            int times = Math.max(1, (int) (seconds * 1e9 / estimate));
            long from = System.nanoTime();
            operation.repeat(times);
            return estimate = (double) (System.nanoTime() - from) / times;
        }

        void warm(double seconds) throws Exception {
            long end = System.nanoTime() + (long) (seconds * 1e9);
            for (long left; (left = end - System.nanoTime()) > 0; ) {
                // In parts: the first operations are much slower than the later ones, and each part corrects the estimate.
                time(Math.min(left * 1e-9, seconds / 8));
            }
        }
    }

    private final List<Measured> all = new ArrayList<>();

    public void add(String key, Once operation) {
        addRepeating(key, times -> {
            for (int i = 0; i < times; i++) {
                operation.run();
            }
        });
    }

    public void addRepeating(String key, Operation operation) {
        all.add(new Measured(key, operation));
    }

    /** Warms up each operation for {@code warming} seconds, then measures each of them for {@code measuring} seconds. */
    public void run(double warming, double measuring) throws Exception {
        for (int turn = 0; turn < WARMING_TURNS; turn++) {
            for (Measured one : all) {
                one.warm(warming / WARMING_TURNS);
            }
        }
        for (int trial = 0; trial < TRIALS; trial++) {
            for (Measured one : all) {
                one.nanos[trial] = one.time(measuring / TRIALS);
            }
        }
        for (Measured one : all) {
            Arrays.sort(one.nanos);
            Program.result(one.key, one.nanos[TRIALS / 2]);
        }
    }
}
