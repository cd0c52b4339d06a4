package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Posix;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The thread that waits for all; here because it needs the natives. */
@Tag("processes")
class EventLoopTest {

    @BeforeAll
    static void findNatives() {
        NativeLibrary.lookIn(Path.of(System.getProperty("jfs.native.dir")), "shim", "shim");
        assertNull(NativeLibrary.unavailable());
    }

    /** A deadline that passes while the loop has no core is none for what came meanwhile. */
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
}
