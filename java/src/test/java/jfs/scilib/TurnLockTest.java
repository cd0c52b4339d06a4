package jfs.scilib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class TurnLockTest {

    private static final int THREADS = 4;
    private static final int TIMES = 50_000;
    private static final int LIMIT_SECONDS = 50;

    private final TurnLock turns = new TurnLock();
    private int count; // used by the thread that has the turn

    @RepeatedTest(5)
    void oneThreadAtATime() throws Exception {
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            tasks.add(inThread(() -> {
                for (int n = 0; n < TIMES; n++) {
                    turns.begin();
                    count++;
                    turns.end();
                }
            }));
        }
        for (FutureTask<Void> task : tasks) {
            task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
        assertEquals(THREADS * TIMES, count);
    }

    /** Two threads wait, so that one waits on while the other has its turn. */
    @Test
    void aWaitingThreadSleepsUntilItsTurn() throws Exception {
        turns.begin();
        Thread[] threads = new Thread[2];
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < threads.length; i++) {
            tasks.add(new FutureTask<>(this::oneTurn, null));
            threads[i] = started(tasks.get(i));
        }
        for (Thread thread : threads) {
            awaitSleep(thread);
        }
        assertEquals(0, count);
        turns.end();
        for (FutureTask<Void> task : tasks) {
            task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
        assertEquals(2, count);
    }

    @Test
    void anInterruptDoesNothing() throws Exception {
        turns.begin();
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            oneTurn();
            return Thread.interrupted();
        });
        Thread thread = started(task);
        awaitSleep(thread);
        thread.interrupt();
        while (thread.isInterrupted()) { // until the thread has noticed the interrupt
            Thread.onSpinWait();
        }
        awaitSleep(thread);
        assertFalse(task.isDone());
        turns.end();
        assertTrue(task.get(LIMIT_SECONDS, TimeUnit.SECONDS), "the status is lost");
    }

    private void oneTurn() {
        turns.begin();
        count++;
        turns.end();
    }

    private static void awaitSleep(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    private static FutureTask<Void> inThread(Runnable what) {
        FutureTask<Void> task = new FutureTask<>(what, null);
        started(task);
        return task;
    }

    private static Thread started(Runnable what) {
        Thread thread = new Thread(what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
