package jfs.conformance.soak;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Where connections wait on purpose until it is opened. Closed again, it is another gate for those who come then. */
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
