package jfs.testing;

/**
 * How much a test does: little in every build, much with {@code ./jfs test --all}, which sets the system property
 * {@code test.all}. The property {@code test.jdks} is the number of JDKs on which {@code ./jfs test} runs all tests.
 */
public final class Effort {

    private static final boolean ALL = Boolean.getBoolean("test.all");
    private static final int JDKS = Integer.getInteger("test.jdks", 1);

    private Effort() {
    }

    /**
     * How often to repeat a test that depends on chance. The JDKs share the larger number, since every round differs from
     * the others anyway.
     */
    public static int rounds(int usually, int withAll) {
        return ALL ? (withAll + JDKS - 1) / JDKS : usually;
    }

    /** One of the two numbers, on each JDK. */
    public static int of(int usually, int withAll) {
        return ALL ? withAll : usually;
    }

    /** The options that the command line needs, beside the seed, to repeat a test. */
    public static String asOptions() {
        return ALL ? " -Dtest.all=true -Dtest.jdks=" + JDKS : "";
    }

    public static boolean isAll() {
        return ALL;
    }
}
