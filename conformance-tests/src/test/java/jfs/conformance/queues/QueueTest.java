package jfs.conformance.queues;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jfs.scilib.MessageQueues;
import jfs.scilib.QueueReceiver;
import jfs.scilib.QueueSender;
import jfs.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the calls of a message queue's two ends promise. Both ends are in this process. */
@Tag("processes")
@Timeout(60)
class QueueTest {

    private static final int COUNT = 4;
    private static final int SIZE = 1000;
    private static final int FOR_EVER = -1;
    private static final int WHILE = (int) Await.LIMIT.toMillis();
    private static final int MOMENT = 20;

    private final int id = ThreadLocalRandom.current().nextInt(MessageQueues.ID_MAX);

    private QueueReceiver create() throws IOException {
        return MessageQueues.create(MessageQueues.localNode(), id, COUNT, SIZE);
    }

    private QueueSender connect(int size) throws IOException {
        return MessageQueues.connect(MessageQueues.localNode(), id, COUNT, size, WHILE);
    }

    private QueueSender connect() throws IOException {
        return connect(SIZE);
    }

    static byte[] stream(long from, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ((from + i) * 7 + (from + i) / 251 + 1);
        }
        return bytes;
    }

    private static void assertReceived(QueueReceiver receiver, byte[] expected) throws IOException {
        byte[] got = new byte[expected.length];
        assertEquals(expected.length, receiver.receive(got, 0, got.length, FOR_EVER));
        assertArrayEquals(expected, got);
    }

    @Test
    void whatIsSentIsReceivedAsAStream() throws Exception {
        try (QueueReceiver receiver = create(); QueueSender sender = connect()) {
            assertEquals(0, receiver.available());
            assertEquals(7, sender.send(stream(0, 7), 0, 7, 0));
            byte[] more = stream(5, 10);
            assertEquals(8, sender.send(more, 2, 8, FOR_EVER));
            Await.until("they are there", () -> receiver.available() == 15);
            byte[] got = new byte[20];
            assertEquals(3, receiver.receive(got, 1, 3, 0));
            assertEquals(stream(2, 1)[0], got[3]);
            assertEquals(12, receiver.available());
            assertReceived(receiver, stream(3, 12));
            assertEquals(0, receiver.receive(got, 0, 20, 0));
        }
    }

    @Test
    void itHoldsAsManyAsItSaysAndThenWaitsForRoom() throws Exception {
        try (QueueReceiver receiver = create(); QueueSender sender = connect()) {
            byte[] much = stream(0, 30 * COUNT * SIZE);
            for (int i = 0; i < COUNT; i++) {
                assertEquals(SIZE, sender.send(much, i * SIZE, SIZE, 0));
            }
            int sent = COUNT * SIZE + sender.send(much, COUNT * SIZE, much.length - COUNT * SIZE, MOMENT);
            assertTrue(sent < much.length, sent + " of " + much.length);
            int rest = sent;
            FutureTask<Integer> sending = inThread(() -> sender.send(much, rest, much.length - rest, FOR_EVER));
            assertReceived(receiver, much);
            assertEquals(much.length - rest, result(sending));
        }
    }

    @Test
    void aReceiverWaitsNoLongerThanItIsTold() throws Exception {
        try (QueueReceiver receiver = create()) {
            assertEquals(0, receiver.receive(new byte[1], 0, 1, MOMENT));
            try (QueueSender sender = connect()) {
                sender.send(stream(0, 2), 0, 2, 0);
                byte[] got = new byte[9];
                Await.until("they are there", () -> receiver.available() == 2);
                assertEquals(2, receiver.receive(got, 0, 9, MOMENT));
            }
        }
    }

    @Test
    void theSenderCloses() throws Exception {
        try (QueueReceiver receiver = create()) {
            try (QueueSender sender = connect()) {
                sender.send(stream(0, 900), 0, 900, 0);
            }
            byte[] got = new byte[2000];
            assertEquals(900, receiver.receive(got, 0, 2000, FOR_EVER));
            assertEquals(-1, receiver.receive(got, 0, 1, FOR_EVER));
            assertEquals(-1, receiver.receive(got, 0, 1, 0));
            assertEquals(0, receiver.receive(got, 0, 0, 0));
            assertEquals(0, receiver.available());
        }
    }

    @Test
    void theReceiverCloses() throws Exception {
        try (QueueReceiver receiver = create(); QueueSender sender = connect()) {
            FutureTask<Integer> sending = inThread(() -> sender.send(new byte[1 << 20], 0, 1 << 20, FOR_EVER));
            assertReceived(receiver, new byte[1]); // so the send is under way
            receiver.close();
            assertEquals(IOException.class, assertThrows(ExecutionException.class, () -> result(sending)).getCause().getClass());
            assertThrows(IOException.class, () -> sender.send(new byte[1], 0, 1, 0));
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void closingWakesWhoWaits(boolean connected) throws Exception {
        QueueReceiver receiver = create();
        QueueSender sender = connected ? connect() : null;
        FutureTask<Integer> receiving = inThread(() -> receiver.receive(new byte[1], 0, 1, FOR_EVER));
        receiver.close();
        receiver.close();
        assertThrows(ExecutionException.class, () -> result(receiving));
        assertThrows(IOException.class, () -> receiver.receive(new byte[1], 0, 1, 0));
        assertThrows(IOException.class, receiver::available);
        if (sender != null) {
            sender.close();
            sender.close();
            assertThrows(IOException.class, () -> sender.send(new byte[1], 0, 1, 0));
        }
        create().close(); // shows that the number is free
    }

    @Test
    void aSenderThatWaitsIsWokenByItsOwnClose() throws Exception {
        try (QueueReceiver receiver = create()) {
            QueueSender sender = connect();
            FutureTask<Integer> sending = inThread(() -> sender.send(new byte[1 << 20], 0, 1 << 20, FOR_EVER));
            assertReceived(receiver, new byte[1]);
            sender.close();
            assertThrows(ExecutionException.class, () -> result(sending));
        }
    }

    @Test
    void whatCanNotBeMade() throws Exception {
        int node = MessageQueues.localNode();
        assertThrows(IllegalArgumentException.class, () -> MessageQueues.create(node, -1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> MessageQueues.create(node, MessageQueues.ID_MAX + 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> MessageQueues.create(node, id, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> MessageQueues.create(node, id, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> MessageQueues.create(node, id, 64, 1 << 20));
        assertThrows(IOException.class, () -> MessageQueues.connect(node, id, 1, 1, 0));
        try (QueueReceiver receiver = create()) {
            assertThrows(IOException.class, this::create);
            assertThrows(IOException.class, () -> connect(9 * SIZE));
            try (QueueSender sender = connect()) {
                assertThrows(IOException.class, this::connect);
                assertThrows(IndexOutOfBoundsException.class, () -> sender.send(new byte[2], 1, 2, 0));
                assertThrows(IndexOutOfBoundsException.class, () -> receiver.receive(new byte[2], 1, 2, 0));
            }
            assertThrows(IOException.class, this::connect); // a receiver has one sender in its life
        }
    }

    @Test
    void anInterruptEndsTheWaitForAQueue() {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedIOException.class, this::connect);
        assertTrue(Thread.interrupted());
    }

    @Test
    void nothingIsLeft() throws Exception {
        cycle();
        long before = descriptors();
        for (int i = 0; i < 200; i++) {
            cycle();
            assertThrows(IOException.class, () -> MessageQueues.connect(MessageQueues.localNode(), id, 1, 1, 0));
        }
        Await.until("the descriptors are closed", () -> descriptors() <= before);
    }

    private void cycle() throws IOException {
        try (QueueReceiver receiver = create(); QueueSender sender = connect()) {
            sender.send(stream(0, 10), 0, 10, 0);
            assertReceived(receiver, stream(0, 10));
            assertThrows(IOException.class, this::connect);
            assertThrows(IOException.class, this::create);
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    private static FutureTask<Integer> inThread(Callable<Integer> what) {
        FutureTask<Integer> task = new FutureTask<>(what);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    private static int result(FutureTask<Integer> task) throws Exception {
        return task.get(WHILE, TimeUnit.MILLISECONDS);
    }
}
