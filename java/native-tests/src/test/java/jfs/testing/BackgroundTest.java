package jfs.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import jfs.nativelib.Posix;
import jfs.nativelib.Words;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the tests take for a thread that waits. */
class BackgroundTest {

    private static final int LOOKS = 200;
    private static final int WIDE = 0;
    private static final int NARROW = 8;

    @BeforeAll
    static void load() {
        Natives.load();
    }

    /** It is in a native method, as a thread that sleeps. On a busy machine it may have no core for long. */
    @Test
    void aThreadThatPollsIsNotBlocked() throws Exception {
        ByteBuffer words = ByteBuffer.allocateDirect(16);
        long limit = Await.LIMIT.toNanos();
        Background<Long> polling = Background.call(() -> Words.awaitChange(words, WIDE, 0, NARROW, 0, limit, limit, Long.MAX_VALUE));
        Await.until("it polls", () -> {
            StackTraceElement[] stack = polling.thread().getStackTrace();
            return stack.length > 0 && stack[0].getMethodName().equals("awaitChange");
        });
        for (int i = 0; i < LOOKS; i++) {
            assertFalse(polling.waits());
        }
        words.putLong(WIDE, 1);
        assertEquals(Words.CHANGED, polling.result() & Words.CHANGED);
    }

    @Test
    void aThreadThatSleepsInTheKernelIsBlocked() throws Exception {
        int event = Posix.eventCreate();
        try {
            int limit = (int) TimeUnit.NANOSECONDS.toMillis(Await.LIMIT.toNanos());
            Background<Integer> sleeping = Background.call(() -> Posix.poll(event, Posix.POLLIN, -1, 0, limit)).blocked();
            Posix.eventSignal(event);
            assertEquals(1, sleeping.result());
        } finally {
            Posix.close(event);
        }
    }
}
