package workloads;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/**
 * Measures the round trips of one thread. Figures of a turn: {@code least} and {@code median} are the time of half a round trip, in
 * the fastest and in the middle one of its trials; {@code rounds} is the number of round trips in the whole turn, {@code nanos} its
 * time.
 */
public final class RoundTrips implements Player.Measured {
    private static final int BATCH_MAX = 1024;

    private final Player.Game game;
    private long rounds;

    public RoundTrips(Player.Game game) {
        this.game = game;
    }

    @Override
    public void warm(double nanos) throws IOException {
        averageOver(nanos);
    }

    @Override
    public Map<String, Double> turn(double seconds, int trials) throws IOException {
        rounds = 0;
        long from = System.nanoTime();
        double[] each = trials(seconds * 1e9, trials);
        double nanos = System.nanoTime() - from;
        if (!game.intact()) {
            throw new IOException("the payload did not arrive intact");
        }
        Arrays.sort(each);
        return Map.of("least", each[0], "median", each[each.length / 2], "rounds", (double) rounds, "nanos", nanos);
    }

    private void play(long times) throws IOException {
        game.roundTrips(times);
        rounds += times;
    }

    /** Makes round trips for {@code nanos} nanoseconds. @return the average nanoseconds of a round trip */
    private double averageOver(double nanos) throws IOException {
        long start = System.nanoTime();
        long before = rounds;
        for (long batch = 1; System.nanoTime() - start < nanos; batch = Math.min(2 * batch, BATCH_MAX)) {
            play(batch);
        }
        return (double) (System.nanoTime() - start) / (rounds - before);
    }

    /**
     * A fifth of the time wakes both ends up, and shows how long a round trip takes. There are fewer trials if there is no time for that
     * many round trips.
     */
    private double[] trials(double nanos, int most) throws IOException {
        long times = Math.max(1, (long) (0.8 * nanos / averageOver(0.2 * nanos)));
        double[] trials = new double[(int) Math.min(most, times)];
        long each = times / trials.length;
        for (int i = 0; i < trials.length; i++) {
            long from = System.nanoTime();
            play(each);
            trials[i] = (double) (System.nanoTime() - from) / each / 2;
        }
        return trials;
    }
}
