package workloads.pipes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that a pipe loses no bytes and wakes waiting threads: otherwise it would be no ceiling. */
class PipeTest {
    private final Pipe pipe = new Pipe();

    @Test
    void allBytesArriveInOrderThroughAFullRing() throws Exception {
        byte[] sent = new byte[5 << 20];
        new Random(1).nextBytes(sent);
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try {
                Random sizes = new Random(2);
                for (int done = 0; done < sent.length; ) {
                    int n = Math.min(sent.length - done, sizes.nextInt(600_000));
                    pipe.write(sent, done, n);
                    done += n;
                }
                pipe.end();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        byte[] received = new byte[sent.length];
        Random sizes = new Random(3);
        int done = 0;
        while (done < received.length) {
            done += pipe.read(received, done, Math.min(received.length - done, 1 + sizes.nextInt(70_000)), 0);
        }
        assertEquals(-1, pipe.read(received, 0, 1, 0));
        assertArrayEquals(sent, received);
        writing.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aReaderWaitsNoLongerThanItWants() {
        assertThrows(SocketTimeoutException.class, () -> pipe.read(new byte[1], 0, 1, 1));
    }

    @Test
    void whoIsNotReadCannotWrite() throws Exception {
        CompletableFuture<Throwable> reading = CompletableFuture.supplyAsync(
                () -> assertThrows(SocketException.class, () -> pipe.read(new byte[1], 0, 1, 0)));
        pipe.stopReading(true);
        assertEquals("Socket closed", reading.get(10, TimeUnit.SECONDS).getMessage());
        assertEquals("Broken pipe", assertThrows(SocketException.class, () -> pipe.write(new byte[1], 0, 1)).getMessage());
    }
}
