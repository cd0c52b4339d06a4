package jfs.conformance.soak;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that makes much garbage, so that collectors move and free objects while streams are under way. */
final class Garbage {

    /** The number of objects that it keeps for a while, so that not all of them die young. */
    private static final int KEPT = 256;
    private static final int BYTES_MAX = 100_000;
    private static final int BETWEEN_MILLIS = 5;
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(3);

    private volatile boolean making;

    void begin() {
        making = true;
        Thread thread = new Thread(this::make, "garbage");
        thread.setDaemon(true);
        thread.start();
    }

    void end() {
        making = false;
    }

    private void make() {
        Random random = new Random();
        byte[][] kept = new byte[KEPT][];
        long collected = System.nanoTime();
        while (making) {
            for (int i = 0; i < KEPT / 8; i++) {
                kept[random.nextInt(KEPT)] = new byte[1 + random.nextInt(BYTES_MAX)];
            }
            if (System.nanoTime() - collected > FULL_NANOS) {
                System.gc();
                collected = System.nanoTime();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_MILLIS));
        }
    }
}
