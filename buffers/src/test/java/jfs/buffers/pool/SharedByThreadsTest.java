package jfs.buffers.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.buffers.pool.BuddyPool.Bookkeeping;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads that use one pool. */
class SharedByThreadsTest {
    private static final int THREADS = 8;
    private static final int STEPS = 4000;
    private static final int HELD = 12;

    @ParameterizedTest
    @CsvSource({"OUTSIDE, true", "OUTSIDE, false", "INSIDE, true", "INSIDE, false"})
    void eightThreadsGetMemoryThatNobodyElseHas(Bookkeeping bookkeeping, boolean magazines) throws Exception {
        BuddyPool pool = BuddyPool.builder().bookkeeping(bookkeeping).slab(1 << 18).smallest(64).magazines(magazines).build();
        ConcurrentLinkedQueue<Pieces> handedOver = new ConcurrentLinkedQueue<>();
        together(THREADS, index -> {
            Random random = new Random(index);
            List<Pieces> held = new ArrayList<>();
            for (int i = 0; i < STEPS; i++) {
                if (held.size() < HELD && random.nextBoolean()) {
                    held.add(Pieces.take(pool, 1 + random.nextInt(1 << random.nextInt(13)), i * THREADS + index));
                } else if (!held.isEmpty()) {
                    Pieces one = held.remove(random.nextInt(held.size()));
                    if (random.nextInt(4) == 0) {
                        one.check();
                        handedOver.add(one); // some other thread closes it
                    } else {
                        one.close();
                    }
                }
                if (random.nextInt(4) == 0) {
                    Pieces other = handedOver.poll();
                    if (other != null) {
                        other.close();
                    }
                }
            }
            held.forEach(Pieces::close);
            return 0;
        });
        handedOver.forEach(Pieces::close);
        assertEquals(0, pool.used());
        pool.trim();
        assertEquals(0, pool.reserved());
    }

    /**
     * For each buffer the threads wait for each other, and then for a random time that is about as long as the news takes to the other
     * core. So some of the buffers are closed by both threads at the same moment, if there are two cores.
     */
    @Test
    void ofTwoThreadsThatCloseABufferOneFails() throws Exception {
        BuddyPool pool = BuddyPool.builder().build();
        PooledBuffer[] buffers = new PooledBuffer[2000];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = pool.allocate(100);
        }
        AtomicInteger arrived = new AtomicInteger();
        List<Integer> failed = together(2, index -> {
            int failures = 0;
            SplittableRandom random = new SplittableRandom(index);
            for (int i = 0; i < buffers.length; i++) {
                arrived.incrementAndGet();
                for (int looks = 1; arrived.get() < 2 * (i + 1); looks++) {
                    if (looks % 1000 == 0) {
                        Thread.yield(); // the other thread has no core
                    }
                }
                for (int pauses = random.nextInt(10); pauses > 0; pauses--) {
                    Thread.onSpinWait();
                }
                try {
                    buffers[i].close();
                } catch (IllegalStateException e) {
                    failures++;
                }
            }
            return failures;
        });
        assertEquals(buffers.length, failed.stream().mapToInt(Integer::intValue).sum());
        assertEquals(0, pool.used());
        for (PooledBuffer each : buffers) {
            assertThrows(IllegalStateException.class, each::memory);
        }
    }

    private interface Work {
        int run(int thread) throws Exception;
    }

    /** Runs the work in so many threads, which begin together. */
    private static List<Integer> together(int count, Work work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            CyclicBarrier start = new CyclicBarrier(count);
            List<Callable<Integer>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int index = i;
                all.add(() -> {
                    start.await();
                    return work.run(index);
                });
            }
            List<Integer> results = new ArrayList<>();
            for (Future<Integer> each : threads.invokeAll(all)) {
                results.add(each.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }
}
