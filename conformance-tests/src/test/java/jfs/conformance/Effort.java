package jfs.conformance;

/**
 * How often a test repeats what depends on chance: a few times in every build, many times with
 * {@code ./jfs test --all}, which sets the system property {@code test.all}.
 */
public final class Effort {

    private static final boolean ALL = Boolean.getBoolean("test.all");

    private Effort() {
    }

    /** One of the two numbers. */
    public static int rounds(int usually, int withAll) {
        return ALL ? withAll : usually;
    }
}
