package jfs.conformance.queues;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.scilib.MessageQueues;
import jfs.scilib.QueueReceiver;
import jfs.scilib.QueueSender;
import jfs.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A queue between this process and one in C (conformance-tests/queue). The same {@code test.seed} repeats a failure. */
@Tag("processes")
@Timeout(120)
class QueueProgramsTest {

    private static final int BYTES = 3_000_000;
    private static final int FOR_EVER = -1;
    private static final int WHILE = (int) Await.LIMIT.toMillis();

    private final int id = ThreadLocalRandom.current().nextInt(MessageQueues.ID_MAX);
    private final long seed = Long.getLong("test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** The program's process and its output. */
    private final class Program implements AutoCloseable {
        private final Process process;
        private final BufferedReader output;

        Program(String role, int count, int size, int bytes) throws IOException {
            process = new ProcessBuilder(System.getProperty("test.queue.peer"), role, "" + id, "" + count, "" + size,
                    "" + bytes, "" + (seed & 0xffffffffL)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            output = process.inputReader();
        }

        void says(String line) throws IOException {
            assertEquals(line, output.readLine(), "seed " + seed);
        }

        void ends() throws Exception {
            process.getOutputStream().close();
            assertTrue(process.waitFor(WHILE, TimeUnit.MILLISECONDS));
            assertEquals(0, process.exitValue(), "seed " + seed);
        }

        void kill() throws Exception {
            process.destroyForcibly();
            assertTrue(process.waitFor(WHILE, TimeUnit.MILLISECONDS));
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    private int nextSize(int size, int left) {
        return Math.min(left, 1 + random.nextInt(4 * size));
    }

    private int nextMillis() {
        return random.nextInt(3) == 0 ? 0 : FOR_EVER;
    }

    /** Most often no pause, now and then one that is longer than any thread polls. */
    private void pauseAtRandom() {
        if (random.nextInt(100) == 0) {
            LockSupport.parkNanos(random.nextInt(400_000));
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1,50000", "1,100,1000000", "3,5000,3000000", "16,300,3000000", "2,60000,3000000", "1000,8,300000"})
    void javaReceives(int count, int size, int bytes) throws Exception {
        try (QueueReceiver queue = MessageQueues.create(MessageQueues.localNode(), id, count, size);
                Program program = new Program("send", count, size, bytes)) {
            byte[] message = new byte[4 * size];
            for (int received = 0; received < bytes;) {
                int n = queue.receive(message, 0, nextSize(size, bytes - received), nextMillis());
                assertTrue(n >= 0, "seed " + seed);
                assertArrayEquals(QueueTest.stream(received, n), Arrays.copyOf(message, n), "seed " + seed);
                received += n;
                pauseAtRandom();
            }
            program.says("ready");
            program.says("done");
            program.ends();
            assertEquals(-1, queue.receive(message, 0, 1, FOR_EVER));
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1,50000", "1,100,1000000", "3,5000,3000000", "16,300,3000000", "2,60000,3000000", "1000,8,300000"})
    void javaSends(int count, int size, int bytes) throws Exception {
        try (Program program = new Program("receive", count, size, bytes)) {
            program.says("ready");
            try (QueueSender queue = MessageQueues.connect(MessageQueues.localNode(), id, count, size, WHILE)) {
                for (int sent = 0; sent < bytes;) {
                    int n = nextSize(size, bytes - sent);
                    sent += queue.send(QueueTest.stream(sent, n), 0, n, nextMillis());
                    pauseAtRandom();
                }
            }
            program.says("done");
            program.ends();
        }
    }

    @Test
    void theSenderIsKilled() throws Exception {
        int bytes = 1000;
        try (QueueReceiver queue = MessageQueues.create(MessageQueues.localNode(), id, 1, bytes);
                Program program = new Program("send", 1, bytes, bytes)) {
            program.says("ready");
            program.says("done");
            program.kill();
            byte[] got = new byte[2 * bytes];
            assertEquals(bytes, queue.receive(got, 0, got.length, FOR_EVER));
            assertArrayEquals(QueueTest.stream(0, bytes), Arrays.copyOf(got, bytes));
            assertEquals(-1, queue.receive(got, 0, 1, FOR_EVER));
        }
    }

    @Test
    void theReceiverIsKilled() throws Exception {
        try (Program program = new Program("receive", 1, 1, 0)) {
            program.says("ready");
            try (QueueSender queue = MessageQueues.connect(MessageQueues.localNode(), id, 1, 1, WHILE)) {
                program.kill();
                assertThrows(IOException.class, () -> queue.send(new byte[BYTES], 0, BYTES, FOR_EVER));
            }
        }
    }
}
