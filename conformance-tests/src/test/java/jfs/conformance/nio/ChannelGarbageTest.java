package jfs.conformance.nio;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import jfs.stat.Stats;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fast channel in blocking mode copies no bytes of a direct buffer into garbage, whether it waits or not. The JVM counts it exactly. */
@Tag("channels")
class ChannelGarbageTest {

    private static final int ROUNDS = 300;
    /**
     * Bytes for each round of a thread, which writes and reads once. It covers what is made only now and then. A long message may have to
     * wait several times beside other programs, and may make as much for each part of it.
     */
    private static final long LIMIT = 64;
    private static final int PART = 64 << 10;
    /** The same over MX, for each message that comes. The library's messages are put in order by objects, whatever the program does. */
    private static final long LIMIT_OF_MX = 512;
    private static final int MX_MESSAGE = 32 << 10;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long allocated() {
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static void fill(SocketChannel from, ByteBuffer to) throws IOException {
        to.clear();
        while (to.hasRemaining() && from.read(to) >= 0) { }
    }

    private static void drain(SocketChannel to, ByteBuffer from) throws IOException {
        from.clear();
        while (from.hasRemaining()) {
            to.write(from);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4_000, 1 << 20})
    void aDirectBufferMakesNoGarbage(int length) throws Exception {
        assumeTrue(threads.isThreadAllocatedMemorySupported(), "this JVM does not count what a thread allocates");
        threads.setThreadAllocatedMemoryEnabled(true);
        try (Connected pair = Connected.by(Provider.JFS.get())) {
            ByteBuffer near = ByteBuffer.allocateDirect(length);
            ByteBuffer far = ByteBuffer.allocateDirect(length);
            int[] untilFast = {0};
            long before = Stats.SWITCHED_OUT.sum();
            Background<Void> first = Background.run(() -> {
                while (true) {
                    fill(pair.accepted(), far);
                    drain(pair.accepted(), far);
                    if (far.get(0) == 1) {
                        return;
                    }
                }
            });
            Await.until(() -> "both directions switch: " + Stats.summary(), () -> {
                near.put(0, (byte) 0);
                drain(pair.client(), near);
                fill(pair.client(), near);
                return Stats.SWITCHED_OUT.sum() >= before + 2 && ++untilFast[0] > ROUNDS;
            });
            near.put(0, (byte) 1);
            drain(pair.client(), near);
            fill(pair.client(), near);
            first.result();
            Background<Long> echo = Background.call(() -> {
                long start = allocated();
                for (int i = 0; i < ROUNDS; i++) {
                    fill(pair.accepted(), far);
                    drain(pair.accepted(), far);
                }
                return allocated() - start;
            });
            long start = allocated();
            for (int i = 0; i < ROUNDS; i++) {
                drain(pair.client(), near);
                fill(pair.client(), near);
            }
            long garbage = allocated() - start;
            long atEcho = echo.result();
            long limit = ROUNDS * ("mx".equals(System.getProperty("subject")) ? LIMIT_OF_MX * (1 + length / MX_MESSAGE)
                    : LIMIT * (1 + length / PART));
            assertTrue(garbage <= limit && atEcho <= limit,
                    "for " + ROUNDS + " messages: " + garbage + " bytes at one end, " + atEcho + " at the other");
        }
    }
}
