package jfs.conformance.stress;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import jfs.steps.Step;

/**
 * Lets threads pause at each {@link Step}, in a child that was started with {@code org.javafastsockets.steps}: not at all,
 * for some spins, for a yield, or for a sleep of microseconds to milliseconds. What each thread does follows from the seed,
 * {@code -Dstress.seed=}. It must not park: it could use up the permit that is meant for the thread's next sleep. Without a
 * pause it must not be a fence, so threads then share nothing that they write.
 */
public final class Pauses implements Consumer<Step> {

    /** Steps that are reached so often that sleeping every fourth time would leave no time for anything else. */
    private static final Set<Step> FREQUENT = EnumSet.of(Step.RECORD_WRITTEN, Step.RECORD_PUBLISHED,
            Step.HEAD_PUBLISHED, Step.READER_ASLEEP, Step.READER_AWAKE);
    /** The first times at each step are sleeps, so that even a short run has slept at every step. */
    private static final int FIRST = 3;
    private static final int FREQUENT_ONE_IN = 64;
    private static final int OTHERS_ONE_IN = 4;
    private static final int SPINS_MAX = 2_000;
    /** The powers of two of a sleep in nanoseconds, from a microsecond to 16 ms. Each is as probable as another. */
    private static final int BITS_MIN = 10;
    private static final int BITS_MAX = 24;

    private static final Step[] STEPS = Step.values();
    private static final long SEED = Long.getLong("stress.seed", 0);
    private static final AtomicLong THREADS = new AtomicLong();
    private static final ThreadLocal<SplittableRandom> RANDOM =
            ThreadLocal.withInitial(() -> new SplittableRandom(SEED + THREADS.getAndIncrement()));
    private static final AtomicLongArray SLEPT = new AtomicLongArray(STEPS.length);

    @Override
    public void accept(Step step) {
        SplittableRandom random = RANDOM.get();
        int oneIn = SLEPT.get(step.ordinal()) < FIRST ? 1 : FREQUENT.contains(step) ? FREQUENT_ONE_IN : OTHERS_ONE_IN;
        switch (random.nextInt(oneIn)) {
            case 0 -> sleep(step, 1L << random.nextInt(BITS_MIN, BITS_MAX + 1));
            case 1 -> Thread.yield();
            case 2 -> {
                for (int i = random.nextInt(SPINS_MAX); i > 0; i--) {
                    Thread.onSpinWait();
                }
            }
            default -> { }
        }
    }

    private static void sleep(Step step, long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
            SLEPT.incrementAndGet(step.ordinal());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the program handles its interrupts
        }
    }

    /** How often a thread has slept at each step in this process. */
    public static Map<String, Long> slept() {
        Map<String, Long> slept = new TreeMap<>();
        for (Step step : STEPS) {
            slept.put(step.name(), SLEPT.get(step.ordinal()));
        }
        return slept;
    }
}
