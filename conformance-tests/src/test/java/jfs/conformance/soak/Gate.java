package jfs.conformance.soak;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A gate at which connections wait on purpose until it is opened. After {@link #close} later connections wait at a new gate. */
final class Gate {

    private final AtomicInteger waiting = new AtomicInteger();
    private volatile CountDownLatch latch = new CountDownLatch(1);

    void await(long millis) throws InterruptedException {
        CountDownLatch before = latch;
        waiting.incrementAndGet();
        try {
            before.await(millis, TimeUnit.MILLISECONDS);
        } finally {
            waiting.decrementAndGet();
        }
    }

    int waiting() {
        return waiting.get();
    }

    void open() {
        latch.countDown();
    }

    void close() {
        latch = new CountDownLatch(1);
    }
}
