package workloads;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

/**
 * Measures round trips when it is this program's turn. It says {@code warm} once the compilers have hardly anything left to do, and
 * then answers each line of standard input, {@code SECONDS TRIALS}, with {@code result TURN LEAST MEDIAN ROUNDS NANOS}: half a
 * round trip in nanoseconds, of so many trials within that time; and how many round trips the whole turn had, in how many
 * nanoseconds. The end of standard input is the end of the game.
 */
public final class Player {
    private static final double WARMING_NANOS = 250e6;
    private static final int WARMING_TURNS = 20;
    private static final double COMPILED_SHARE = 0.02;
    private static final int CALM_TURNS = 2;

    private Player() {}

    /** What is played. */
    public interface Game {
        void roundTrips(long times) throws IOException;

        /** Whether what came back last is what was sent first. */
        boolean intact();
    }

    /** Counts what is played. */
    private static final class Counting implements Game {
        private final Game game;
        private long rounds;

        Counting(Game game) {
            this.game = game;
        }

        @Override
        public void roundTrips(long times) throws IOException {
            game.roundTrips(times);
            rounds += times;
        }

        @Override
        public boolean intact() {
            return game.intact();
        }
    }

    /** Blocks until the end of the game. */
    public static void play(Game game) throws IOException {
        warmUp(game);
        System.out.println("warm");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        int turn = 0;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            Counting counting = new Counting(game);
            long from = System.nanoTime();
            double[] trials = trials(counting, Double.parseDouble(words[0]) * 1e9, Integer.parseInt(words[1]));
            long nanos = System.nanoTime() - from;
            if (!game.intact()) {
                throw new IOException("the payload did not arrive intact");
            }
            Arrays.sort(trials);
            System.out.println("result " + turn++ + " " + trials[0] + " " + trials[trials.length / 2] + " "
                    + counting.rounds + " " + nanos);
        }
    }

    /**
     * Goes on until the compilers have hardly anything left to do: as long as they work they want the cores that the two ends poll
     * on, so what is measured then is a machine on which others work. The other end does the same things and is as far, or
     * nearly: hence twice.
     */
    private static void warmUp(Game game) throws IOException {
        Compilers compilers = new Compilers();
        int calm = 0;
        for (int turn = 0; turn < WARMING_TURNS && calm < CALM_TURNS; turn++) {
            averageOver(WARMING_NANOS, game);
            calm = compilers.nanos() <= COMPILED_SHARE * WARMING_NANOS ? calm + 1 : 0;
        }
    }

    /** A round trip in nanoseconds, over so long. */
    private static double averageOver(double nanos, Game game) throws IOException {
        long start = System.nanoTime();
        long rounds = 0;
        for (long batch = 1; System.nanoTime() - start < nanos; batch = Math.min(2 * batch, 1024)) {
            game.roundTrips(batch);
            rounds += batch;
        }
        return (double) (System.nanoTime() - start) / rounds;
    }

    /** Of that time a fifth wakes both ends up. Fewer trials where there is no time for so many round trips. */
    private static double[] trials(Game game, double nanos, int most) throws IOException {
        long rounds = Math.max(1, (long) (0.8 * nanos / averageOver(0.2 * nanos, game)));
        double[] trials = new double[(int) Math.min(most, rounds)];
        long each = rounds / trials.length;
        for (int i = 0; i < trials.length; i++) {
            long from = System.nanoTime();
            game.roundTrips(each);
            trials[i] = (double) (System.nanoTime() - from) / each / 2;
        }
        return trials;
    }
}
