package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A reader and a writer that sleep by one bell (SLEEP-2, SLEEP-3, SLEEP-4, SLEEP-7). The bell and poll(2) are the test's: a thread polls
 * until the test or the code under test rings, or an event comes on TCP. Each thread sleeps again until it has news, as its callers do.
 */
@Timeout(60)
class BellSleepersTest {

    private static final int LIMIT_SECONDS = 50;
    private static final int RING = -1;

    /** What ends a poll: RING, or events on TCP. */
    private final BlockingQueue<Integer> polled = new LinkedBlockingQueue<>();
    private final Bell bell = new Bell();
    private final BellSleepers sleepers = new BellSleepers(bell);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() throws InterruptedException {
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS));
    }

    private final class Bell implements Doorbell {

        @Override
        public int descriptor() {
            return 3;
        }

        @Override
        public void acknowledge() {
            polled.remove(RING); // however often it has rung, once is enough to be heard
        }

        @Override
        public void ringOurselves() {
            if (!polled.contains(RING)) {
                polled.add(RING);
            }
        }
    }

    private static final TcpDescriptor TCP = new TcpDescriptor() {
        @Override
        public boolean hasEvent() {
            return false;
        }

        @Override
        public int acquire() {
            return 4;
        }

        @Override
        public void release() {
        }
    };

    /** One of the two threads. Its caller sleeps again and again until there is news, or an event on TCP. */
    private class Sleeping implements Sleepers.Sleeper {
        private final int role;
        private volatile boolean news;
        private volatile boolean polls;
        private volatile int asleep;
        private final CountDownLatch parks = new CountDownLatch(1);
        private Future<Integer> events;

        Sleeping(int role) {
            this.role = role;
        }

        void begin() {
            events = threads.submit(() -> {
                int found = 0;
                while (!news && found == 0) {
                    found = sleepers.sleep(role, this, TCP, role == Sleepers.READER ? Posix.POLLIN : 0, Deadline.NONE);
                }
                return found;
            });
        }

        @Override
        public void announce() {
            asleep++;
        }

        @Override
        public void retract() {
        }

        @Override
        public boolean arrived() throws IOException {
            return news;
        }

        @Override
        public int poll(int descriptor, int tcp, int tcpEvents, int millis) {
            polls = true;
            try {
                int what = polled.take();
                if (what == RING) {
                    polled.add(RING); // readable until it is acknowledged
                    return 1;
                }
                return what << 16;
            } catch (InterruptedException e) {
                news = true; // the test has ended
                Thread.currentThread().interrupt();
                return 0;
            } finally {
                polls = false;
            }
        }

        @Override
        public void willPark() {
            parks.countDown();
        }

        void awaitPoll() {
            while (!polls) {
                assertFalse(events.isDone());
                Thread.onSpinWait();
            }
        }

        void awaitPark() throws InterruptedException {
            assertTrue(parks.await(LIMIT_SECONDS, TimeUnit.SECONDS));
        }

        int result() throws Exception {
            return events.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private final Sleeping reader = new Sleeping(Sleepers.READER);
    private final Sleeping writer = new Sleeping(Sleepers.WRITER);

    private void readerLeadsAndWriterParks() throws InterruptedException {
        reader.begin();
        reader.awaitPoll();
        writer.begin();
        writer.awaitPark();
        assertFalse(writer.polls, "one of them polls the bell, and it is the reader (SLEEP-7)");
    }

    @Test
    void aRingForTheOneThatParksIsHandedOn() throws Exception {
        readerLeadsAndWriterParks();
        writer.news = true;
        bell.ringOurselves();
        assertEquals(0, writer.result());
        reader.awaitPoll();
        assertFalse(polled.contains(RING), "heard and acknowledged");
    }

    @Test
    void whenTheLeaderHasItsNewsTheOtherOneLeads() throws Exception {
        readerLeadsAndWriterParks();
        reader.news = true;
        bell.ringOurselves();
        assertEquals(0, reader.result());
        writer.awaitPoll();
        writer.news = true;
        bell.ringOurselves();
        assertEquals(0, writer.result());
    }

    @Test
    void theReaderLeadsThoughTheWriterWasThereFirst() throws Exception {
        writer.begin();
        writer.awaitPoll();
        reader.begin();
        writer.awaitPark();
        reader.awaitPoll();
        assertFalse(writer.polls);
        polled.add(Posix.POLLIN);
        assertEquals(Posix.POLLIN, reader.result());
        writer.awaitPoll();
    }

    @Test
    void aWakeBeforeASleepIsRemembered() throws Exception {
        sleepers.wake();
        sleepers.sleep(Sleepers.READER, reader, TCP, Posix.POLLIN, Deadline.NONE);
        sleepers.sleep(Sleepers.WRITER, writer, TCP, 0, Deadline.NONE);
        assertFalse(polled.contains(RING), "no thread was there to be rung for");
        assertEquals(1, reader.asleep);
        assertEquals(1, writer.asleep);
    }

    /** The owner of the bell hears the ring and acknowledges it, so it can't call the other one. */
    @Test
    void aWakeIsRememberedForAThreadOnItsWayToSleepThoughAnotherOneHearsTheRing() throws Exception {
        reader.begin();
        reader.awaitPoll();
        Sleeping late = new Sleeping(Sleepers.WRITER) {
            @Override
            public void announce() {
                sleepers.wake();
                while (reader.asleep < 2) { // the reader has heard, and sleeps again
                    Thread.onSpinWait();
                }
                LockSupport.parkNanos(1); // uses up the permit that the wake has left
            }
        };
        Future<Integer> woken = threads.submit(() -> sleepers.sleep(Sleepers.WRITER, late, TCP, 0, Deadline.NONE));
        assertEquals(0, woken.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    }
}
