package jfs.testing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much a test does: little in every build, much with {@code ./jfs test --all}, which sets the system property
 * {@code test.all}. The property {@code test.jdks} is the number of JDKs on which {@code ./jfs test} runs all tests. The smaller
 * number is said in the test's output, once for each method that asks, and {@code ./jfs test} prints it at its end.
 */
public final class Effort {

    private static final boolean ALL = Boolean.getBoolean("test.all");
    private static final int JDKS = Integer.getInteger("test.jdks", 1);
    private static final StackWalker STACK = StackWalker.getInstance();
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private Effort() {
    }

    /**
     * How often to repeat a test that depends on chance. The JDKs share the larger number, since every round differs from
     * the others anyway.
     */
    public static int rounds(int usually, int withAll) {
        return of(usually, (withAll + JDKS - 1) / JDKS);
    }

    /** One of the two numbers, on each JDK. */
    public static int of(int usually, int withAll) {
        if (ALL) {
            return withAll;
        }
        if (usually < withAll) {
            say(usually + " instead of " + withAll);
        }
        return usually;
    }

    private static void say(String what) {
        StackWalker.StackFrame caller = STACK.walk(frames ->
                frames.filter(frame -> !frame.getClassName().equals(Effort.class.getName())).findFirst()).orElseThrow();
        String reduced = caller.getClassName() + "." + caller.getMethodName() + ": " + what;
        if (SAID.add(reduced)) {
            System.out.println("REDUCED: " + reduced);
        }
    }

    /** The options that the command line needs, beside the seed, to repeat a test. */
    public static String asOptions() {
        return ALL ? " -Dtest.all=true -Dtest.jdks=" + JDKS : "";
    }
}
