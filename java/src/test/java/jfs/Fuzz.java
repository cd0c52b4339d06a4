package jfs;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * Changed versions of an example that was good, for a test that tries each of them. Set {@code test.seed} to see a failure again.
 */
public final class Fuzz {

    public static final int ROUNDS = rounds(Fuzz.class, 20_000, 1_000_000);

    /** Takes an input that may be good or bad. */
    public interface Attempt {
        void on(byte[] input, Random random) throws Exception;
    }

    private Fuzz() {
    }

    /**
     * How many random inputs a test tries. The smaller number is said in the test's output, and {@code ./jfs test} prints it at its end.
     *
     * @param test the class that tries them
     * @param withAll the number with {@code ./jfs test --all}, which the JDKs of a run share
     */
    public static int rounds(Class<?> test, int usually, int withAll) {
        int share = withAll / Integer.getInteger("test.jdks", 1);
        if (Boolean.getBoolean("test.all")) {
            return share;
        }
        System.out.println("REDUCED: " + test.getName() + ": " + usually + " instead of " + share);
        return usually;
    }

    /** Gives changed versions of an example, one after the other. */
    public static void fuzz(byte[] example, Attempt attempt) {
        long first = Long.getLong("test.seed", System.nanoTime());
        for (long seed = first; seed < first + ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] input = changed(example, random);
            try {
                attempt.on(input, random);
            } catch (Exception | AssertionError e) {
                throw new AssertionError("-Dtest.seed=" + seed + ", input " + Arrays.toString(input), e);
            }
        }
    }

    private static byte[] changed(byte[] example, Random random) {
        byte[] input = switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(example, random.nextInt(example.length + 1));
            case 1 -> Arrays.copyOf(example, example.length + random.nextInt(200));
            default -> example.clone();
        };
        for (int i = random.nextInt(6); i > 0 && input.length > 0; i--) {
            int at = random.nextInt(input.length);
            input[at] = switch (random.nextInt(4)) {
                case 0 -> (byte) random.nextInt();
                case 1 -> (byte) (input[at] ^ 1 << random.nextInt(8));
                case 2 -> input[random.nextInt(input.length)];
                default -> (byte) (random.nextBoolean() ? 0x7f : 0xff);
            };
        }
        return input;
    }

    /** @return what is left of a message */
    public static byte[] bytes(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        return bytes;
    }
}
