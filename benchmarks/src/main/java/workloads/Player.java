package workloads;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Map;

/**
 * Measures when it is this program's turn. The program prints {@code warm} once the compilers have hardly anything left to do. Then
 * it answers each line of standard input, {@code SECONDS TRIALS}, with one line {@code result TURN KEY=VALUE ...}. The program stops
 * measuring at the end of standard input.
 */
public final class Player {
    private static final double WARMING_NANOS = 250e6;
    private static final int WARMING_TURNS = 160;
    private static final double COMPILED_SHARE = 0.02;
    private static final int CALM_TURNS = 2;
    /** Set for tests of the measuring programs, in which no speed matters: a program then warms up for one short turn. */
    private static final boolean WARMS_UP_SHORTLY = Boolean.getBoolean("workloads.warm.up.shortly");
    private static final double SHORT_NANOS = 10e6;

    private Player() {}

    /** What is measured in turns. */
    public interface Measured {
        /** Does the measured work for {@code nanos} nanoseconds. */
        void warm(double nanos) throws IOException;

        /**
         * Takes one turn of {@code seconds} seconds, in at most {@code trials} trials.
         *
         * @return its figures by name; times are nanoseconds
         */
        Map<String, Double> turn(double seconds, int trials) throws IOException;
    }

    /** What one thread does again and again. {@link RoundTrips} measures it. */
    public interface Game {
        void roundTrips(long times) throws IOException;

        /** Whether the bytes that came back last are the bytes that were sent first. */
        boolean intact();
    }

    /** Blocks until the end of standard input. */
    public static void play(Game game) throws IOException {
        play(new RoundTrips(game));
    }

    /** Blocks until the end of standard input. */
    public static void play(Measured measured) throws IOException {
        warmUp(measured, 0);
        takeTurns(measured);
    }

    /** The same, but prints {@code ready} at once, takes turns without a warm-up, and warms up when a line {@code warm SECONDS} asks. */
    public static void playFromCold(Measured measured) throws IOException {
        System.out.println("ready");
        takeTurns(measured);
    }

    private static void takeTurns(Measured measured) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        int turn = 0;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            if (words[0].equals("warm")) {
                warmUp(measured, Integer.parseInt(words[1]));
                continue;
            }
            StringBuilder result = new StringBuilder("result ").append(turn++);
            measured.turn(Double.parseDouble(words[0]), Integer.parseInt(words[1]))
                    .forEach((key, value) -> result.append(' ').append(key).append('=').append(value));
            System.out.println(result);
        }
    }

    /** @param leastSeconds how long it takes at least */
    private static void warmUp(Measured measured, int leastSeconds) throws IOException {
        if (WARMS_UP_SHORTLY) {
            measured.warm(SHORT_NANOS);
        } else {
            warmUpUntilCompiled(measured, leastSeconds);
        }
        System.out.println("warm");
    }

    /**
     * Warms up until the compilers have hardly anything left to do, or for forty seconds. While the compilers work, they want the cores
     * on which the two ends poll, so a measurement would be that of a busy machine. The other end does the same work, and its compilers
     * are finished at about the same time. To be sure of both ends, the compilers of this end must be calm in two turns.
     */
    private static void warmUpUntilCompiled(Measured measured, int leastSeconds) throws IOException {
        Compilers compilers = new Compilers();
        int calm = 0;
        for (int turn = 0; turn < WARMING_TURNS && (calm < CALM_TURNS || turn * WARMING_NANOS < leastSeconds * 1e9); turn++) {
            measured.warm(WARMING_NANOS);
            calm = compilers.nanos() <= COMPILED_SHARE * WARMING_NANOS ? calm + 1 : 0;
        }
    }
}
