package jfs.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import jfs.wait.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A failure with one channel does not end the thread that waits for all channels. */
@Timeout(60)
class ChannelPollerTest {

    private final BlockingQueue<Throwable> reported = new LinkedBlockingQueue<>();
    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();

    @BeforeEach
    void takeReports() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> reported.add(failure));
    }

    @AfterEach
    void takeNoReports() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    @Test
    void survivesTasksThatFail() throws Exception {
        ChannelPoller poller = ChannelPoller.get();
        poller.watch(null, SelectionKey.OP_READ).await(Deadline.NONE); // the wait ends, so that the waiting thread looks again
        poller.forget(null); // returns
        for (int i = 0; i < 2; i++) {
            assertEquals(NullPointerException.class, reported.take().getClass());
        }
        Pipe pipe = Pipe.open();
        try (Pipe.SourceChannel source = pipe.source(); Pipe.SinkChannel sink = pipe.sink()) {
            source.configureBlocking(false);
            long deadline = Deadline.in((int) TimeUnit.SECONDS.toMillis(30));
            ChannelPoller.Watch watch = poller.watch(source, SelectionKey.OP_READ);
            sink.write(ByteBuffer.allocate(1));
            watch.await(deadline);
            assertTrue(!Deadline.hasPassed(deadline), "still watches");
            poller.forget(source);
        }
        assertTrue(reported.isEmpty(), reported::toString);
    }
}
