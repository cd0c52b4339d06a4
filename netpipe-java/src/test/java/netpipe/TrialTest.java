package netpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the timed loop may cost besides the sockets. */
@Timeout(20)
class TrialTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A dialer's end that counts the writes of its socket. */
    private record Counting(int port, AtomicInteger writes) implements Endpoint {

        @Override
        public Socket open() throws IOException {
            return new Socket(InetAddress.getLoopbackAddress(), port) {
                @Override
                public OutputStream getOutputStream() throws IOException {
                    return new FilterOutputStream(super.getOutputStream()) {
                        @Override
                        public void write(byte[] bytes, int offset, int length) throws IOException {
                            writes.incrementAndGet();
                            out.write(bytes, offset, length);
                        }
                    };
                }
            };
        }

        @Override
        public Socket reopen() throws IOException {
            return open();
        }

        @Override
        public void close() {
        }
    }

    private interface Measurement {
        void run(Link link, Trial trial) throws IOException;
    }

    private static Trial trial(Link link, boolean cached, int length) {
        Buffers buffers = new Buffers(cached, 0, 0);
        buffers.resize(length);
        return new Trial(link, buffers, false, false);
    }

    /** Runs a measurement against a partner that answers every message. */
    private static void against(int messages, boolean cached, int length, AtomicInteger writes, Measurement measurement)
            throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Endpoint.Listener listener = new Endpoint.Listener(any, 0)) {
            CompletableFuture<Void> partner = CompletableFuture.runAsync(() -> {
                try (Link link = new Link(listener)) {
                    trial(link, cached, length).respond(messages);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }, task -> new Thread(task).start());
            try (Link link = new Link(new Counting(listener.port(), writes))) {
                measurement.run(link, trial(link, cached, length));
            }
            partner.join();
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "false, 1", "true, 20000"})
    void nothingIsAllocatedForAMessage(boolean cached, int length) throws Exception {
        int messages = 5000;
        against(2 * messages, cached, length, new AtomicInteger(), (link, trial) -> {
            trial.initiate(messages);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            trial.initiate(messages);
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertTrue(allocated < messages, () -> allocated + " bytes for " + messages + " messages");
        });
    }

    @Test
    void oneWriteForAMessage() throws Exception {
        AtomicInteger writes = new AtomicInteger();
        against(50, true, 1_000_000, writes, (link, trial) -> trial.initiate(50));
        assertEquals(50, writes.get());
    }

    /** Without cache effects every message uses another part of the areas, and all parts lie within them. */
    @Test
    void theWalkThroughTheAreas() {
        Buffers buffers = new Buffers(false, 1, 3);
        buffers.resize(1_000_000);
        int stride = 1_000_000 + 16_384 - 1_000_000 % 16_384;
        for (int i = 0; i < 100; i++) {
            int part = i % 9;
            assertEquals(1 + part * stride, buffers.sendAt);
            assertEquals(3 + part * stride, buffers.receiveAt);
            assertTrue(buffers.sendAt + buffers.length <= buffers.sendArea.length);
            buffers.advanceSend();
            buffers.advanceReceive();
        }
    }
}
