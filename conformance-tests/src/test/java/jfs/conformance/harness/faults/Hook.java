package jfs.conformance.harness.faults;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import jfs.steps.Step;
import jfs.testing.Await;

/**
 * JFS calls this at each {@link Step}, in a child that was started with {@code org.javafastsockets.steps}. It counts the
 * steps. At the step for which it is armed it tells the parent, then makes the fault happen. It must not park: it could use
 * up the permit that is meant for the thread's next sleep.
 */
public final class Hook implements Consumer<Step> {

    /** Steps of a thread that takes messages of all connections, under the lock for that. */
    public static final Set<Step> OF_MESSAGES = EnumSet.of(Step.MESSAGE_RECEIVED, Step.CHANNEL_FORGOTTEN);

    private static final AtomicIntegerArray COUNTS = new AtomicIntegerArray(Step.values().length);

    /** Added to the number of times that a step was reached, this makes the trap never strike. */
    private static final int NEVER = Integer.MIN_VALUE / 2;

    private static volatile Trap trap;

    /** A fault that waits for its step. */
    private static final class Trap {
        private final String order;
        private final Step step;
        private final int time;
        private final Fault fault;
        private final long nanos;
        private final AtomicInteger reached = new AtomicInteger();
        private boolean released;

        Trap(String order, Step step, int time, Fault fault, long nanos) {
            this.order = order;
            this.step = step;
            this.time = time;
            this.fault = fault;
            this.nanos = nanos;
        }

        void strike() {
            sleep(nanos);
            System.out.println(order + " " + Talk.sent());
            switch (fault) {
                case KILL, STOP -> awaitRelease();
                case HALT -> Runtime.getRuntime().halt(1);
                case EXIT -> {
                    if (OF_MESSAGES.contains(step)) {
                        Exit.begin();
                    } else {
                        System.exit(1);
                    }
                }
                case OUT_OF_MEMORY -> throw new OutOfMemoryError("by the test, at " + step);
                case DELAY -> { }
            }
        }

        private static void sleep(long nanos) {
            try {
                TimeUnit.NANOSECONDS.sleep(nanos);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private synchronized void awaitRelease() {
            while (!released) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        synchronized void release() {
            released = true;
            notifyAll();
        }
    }

    /**
     * Another thread calls exit. The thread at the step holds a lock that a shutdown hook waits for, as no caller of exit
     * ever does.
     */
    private static final class Exit {
        private static boolean begun;

        static synchronized void begin() {
            Runtime.getRuntime().addShutdownHook(new Thread(Exit::hasBegun));
            new Thread(() -> System.exit(1)).start();
            while (!begun) {
                try {
                    Exit.class.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        private static synchronized void hasBegun() {
            begun = true;
            Exit.class.notifyAll();
        }
    }

    @Override
    public void accept(Step step) {
        COUNTS.incrementAndGet(step.ordinal());
        Trap it = trap;
        if (it != null && it.step == step && it.reached.incrementAndGet() == it.time) {
            it.strike();
        }
    }

    /**
     * @param order number of the parent's order. The answer comes when the step is reached: how many bytes this end has
     *     written until then
     * @param nanos how long the thread stays at the step before the fault
     */
    public static void arm(String order, String step, int time, String fault, long nanos) {
        trap = new Trap(order, Step.valueOf(step), time, Fault.valueOf(fault), nanos);
    }

    public static void awaitArmed(String order) throws Exception {
        Await.until("armed", () -> trap != null && trap.order.equals(order));
    }

    /** @return whether the trap has come to its step; if not it won't strike any more */
    public static boolean disarm() {
        Trap it = trap;
        return it.reached.getAndAdd(NEVER) >= it.time;
    }

    /** Lets the thread that waits at its step go on. */
    public static void release() {
        trap.release();
    }

    public static int count(String step) {
        return COUNTS.get(Step.valueOf(step).ordinal());
    }

    /** How often each step was reached so far, in the order of {@link Step}. */
    public static String counts() {
        return COUNTS.toString();
    }
}
