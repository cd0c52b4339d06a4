package jfs.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.nativelib.Sisci;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RetriesTest {

    private static final int OTHER_ERROR = Sisci.TIMEOUT;

    private static void isServed() throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        Retries.later(() -> {
            called.countDown();
            return Sisci.OK;
        });
        assertTrue(called.await(60, TimeUnit.SECONDS));
    }

    @Test
    void callsUntilItIsNotBusy() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(3);
        Retries.retry(() -> {
            done.countDown();
            return calls.incrementAndGet() < 3 ? Sisci.BUSY : OTHER_ERROR;
        });
        done.await();
        isServed();
        assertEquals(3, calls.get());
    }

    @Test
    void callsAtOnceAndOnceWhereNothingIsBusy() {
        AtomicInteger calls = new AtomicInteger();
        Retries.retry(calls::getAndIncrement); // 0 is no error
        assertEquals(1, calls.get());
    }

    /** The library may take long for a call. Other threads can leave their calls meanwhile. */
    @Test
    void aSlowCallDelaysNoOtherThread() throws Exception {
        CompletableFuture<Boolean> stuck = new CompletableFuture<>();
        Retries.later(() -> {
            Thread other = new Thread(() -> Retries.later(() -> Sisci.OK));
            other.start();
            try {
                other.join(30_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            stuck.complete(other.isAlive());
            return Sisci.OK;
        });
        assertFalse(stuck.get());
    }

    @Test
    void goesOnAfterAnError() throws Exception {
        CompletableFuture<Thread> failed = new CompletableFuture<>();
        Retries.later(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> { });
            failed.complete(Thread.currentThread());
            throw new OutOfMemoryError("by the test");
        });
        failed.get().join();
        isServed();
    }
}
