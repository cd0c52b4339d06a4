package jfs.conformance.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A selection returns no key before its time as often as the JDK's (NIO-2). Netty counts such returns, and makes a new selector after 512
 * of them.
 */
@Tag("channels")
class EarlyReturnTest {

    private static final int SHOWN = 20;
    private static final int EARLY_EACH = 200;

    @ParameterizedTest
    @EnumSource
    void randomRoundsReturnTheSame(Beginning beginning) throws Exception {
        long seed = Long.getLong("channels.seed", System.nanoTime());
        int rounds = Effort.rounds(3_000, 1_000_000);
        AtomicInteger done = new AtomicInteger();
        ConcurrentLinkedDeque<String> last = new ConcurrentLinkedDeque<>();
        Supplier<String> message = () -> "-Dchannels.seed=" + seed + Effort.asOptions() + "\n" + String.join("\n", last);
        Background<Void> playing = Background.run(() -> {
            try (SelectRounds jdk = new SelectRounds(Provider.JDK.get(), beginning);
                    SelectRounds jfs = new SelectRounds(Provider.JFS.get(), beginning)) {
                for (int i = 0; i < rounds; i++) {
                    String expected = jdk.play(seed + i);
                    String seen = jfs.play(seed + i);
                    last.add(i + " " + seen);
                    assertEquals(expected, seen, message);
                    if (last.size() > SHOWN) {
                        last.remove();
                    }
                    done.incrementAndGet();
                }
                assertEquals(jdk.early(), jfs.early(), message);
                assertTrue(jdk.early() > rounds / EARLY_EACH, jdk.early() + " early returns in " + rounds + " rounds");
            }
        });
        while (!playing.isDone()) {
            int before = done.get();
            Await.until(() -> message.get() + "\nthe end of round " + before + " " + Arrays.toString(playing.thread().getStackTrace()),
                    () -> playing.isDone() || done.get() > before);
        }
        playing.result();
    }
}
