package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.Posix;
import jfs.testing.Await;
import jfs.testing.Natives;
import jfs.threads.EventLoop;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread that waits for all events. */
@Timeout(120)
class EventLoopTest {

    @BeforeAll
    static void loadNatives() {
        Natives.load();
    }

    /** If a deadline passes while the loop has no core, the loop still handles what has come before it. */
    @Test
    void whatHasComeIsSeenBeforeTheDeadline() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch both = new CountDownLatch(2);
        int bell = Posix.eventCreate();
        EventLoop loop = new EventLoop("test-loop").endingAtShutdown();
        loop.execute(() -> {
            loop.watch(bell, Posix.POLLIN | Posix.EPOLLONESHOT, events -> {
                order.add("bell");
                both.countDown();
            });
            loop.after(1, () -> {
                order.add("deadline");
                both.countDown();
            });
            Posix.eventSignal(bell);
            long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2);
            while (due - System.nanoTime() > 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
        });
        both.await();
        assertEquals(List.of("bell", "deadline"), order);
        Posix.close(bell);
    }

    /** A peer that comes and goes may cause any number of timers. Each is cancelled long before the next one that is due. */
    @Test
    void cancelledTimersAreForgotten() throws Exception {
        EventLoop loop = new EventLoop("test-loop").endingAtShutdown();
        List<WeakReference<EventLoop.Timer>> cancelled = new ArrayList<>();
        CountDownLatch made = new CountDownLatch(1);
        loop.execute(() -> {
            loop.after(TimeUnit.MINUTES.toMillis(30), () -> { });
            for (int i = 0; i < 10_000; i++) {
                EventLoop.Timer timer = loop.after(TimeUnit.MINUTES.toMillis(60), () -> { });
                timer.cancel();
                cancelled.add(new WeakReference<>(timer));
            }
            made.countDown();
        });
        assertTrue(made.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        long[] kept = {0};
        Await.until(() -> kept[0] + " are kept", () -> {
            System.gc();
            kept[0] = cancelled.stream().filter(timer -> timer.get() != null).count();
            return kept[0] <= 2048;
        });
    }
}
