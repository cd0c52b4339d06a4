package jfs.transport.mx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import jfs.mx.Leadership;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import jfs.testing.Natives;
import jfs.testing.VirtualThreads;
import jfs.wait.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which thread waits at an endpoint's descriptor (LEADER-1 to LEADER-4): a reader that sleeps alone, else the endpoint's thread. */
@Timeout(120)
class LeadershipTest {

    private static final byte[] ONE = {1};
    /** A reader that is not woken looks by itself: after a second if an answer is due, else after ten ({@link PeerCheck}). */
    private static final long TOO_LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(950);

    private MxEnds ends;
    private Leadership leadership;
    private MxEnds.Connection first;
    private MxEnds.Connection second;

    @BeforeAll
    static void findNatives() {
        Natives.assumeMx();
    }

    /** Two connections whose far ends know that the peer has switched. */
    @BeforeEach
    void open() throws Exception {
        ends = new MxEnds();
        leadership = ends.far.leadership();
        first = switched();
        second = switched();
    }

    @AfterEach
    void close() throws Exception {
        first.close();
        second.close();
        ends.assertNothingLeft();
        ends.close();
    }

    private MxEnds.Connection switched() throws Exception {
        MxEnds.Connection it = ends.new Connection().switched();
        it.near.write(ONE);
        it.far.read(1);
        return it;
    }

    /** Starts a reader that leads, or will lead, unless another one does. */
    private Background<byte[]> reader(MxEnds.Connection it) throws Exception {
        return Background.call(() -> it.far.read(1)).blocked();
    }

    private Background<byte[]> leader(MxEnds.Connection it) throws Exception {
        Background<byte[]> reader = reader(it);
        Await.until("it leads", leadership::isLed);
        return reader;
    }

    /** Starts a reader that has led for so long that nothing wakes the endpoint's thread any more. */
    private Background<byte[]> longLeader(MxEnds.Connection it) throws Exception {
        Background<byte[]> reader = leader(it);
        Await.until("the thread rests", leadership::threadRests);
        return reader;
    }

    private static void wakes(MxEnds.Connection it, Background<byte[]> reader) throws Exception {
        long since = System.nanoTime();
        it.near.write(ONE);
        assertArrayEquals(ONE, reader.result());
        assertInTime(since);
    }

    private static void assertInTime(long since) {
        long nanos = System.nanoTime() - since;
        assertTrue(nanos < TOO_LATE_NANOS, () -> "not woken for " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
    }

    /** A thread that finds news for a sleeper rings that sleeper's bell. A reader that leads finds its messages itself. */
    @Test
    void aLoneReaderIsWokenWithoutARing() throws Exception {
        int messages = 50;
        wakes(first, leader(first));
        long rings = PathBell.RINGS.sum();
        for (int i = 0; i < messages; i++) {
            wakes(first, leader(first));
        }
        long rung = PathBell.RINGS.sum() - rings;
        assertTrue(rung < messages / 10, rung + " of " + messages); // the endpoint's thread may have looked at that moment
    }

    /** The leader rings the second reader. If the leader follows by then, the endpoint's thread does. */
    @Test
    void aSecondReaderIsRung() throws Exception {
        Background<byte[]> leads = longLeader(first);
        for (int i = 0; i < 10; i++) {
            wakes(second, reader(second));
        }
        assertFalse(leads.isDone());
        wakes(first, leads);
    }

    @Test
    void aLeaderThatHasItsMessageHandsOn() throws Exception {
        for (int i = 0; i < 10; i++) {
            Background<byte[]> leads = longLeader(first);
            Background<byte[]> follows = reader(second);
            wakes(first, leads);
            wakes(second, follows);
        }
    }

    @Test
    void aLeaderWhoseTimeIsOverHandsOn() throws Exception {
        Background<Boolean> leads = Background.call(() -> {
            long deadline = Deadline.in(500);
            while (!Deadline.hasPassed(deadline)) {
                assertEquals(0, first.far.path.awaitData(first.far, deadline));
            }
            return leadership.isLed();
        });
        Await.until("it leads", leadership::isLed);
        Background<byte[]> follows = reader(second);
        assertFalse(leads.result());
        wakes(second, follows);
    }

    @Test
    void aLeaderThatIsClosedHandsOn() throws Exception {
        AtomicBoolean closed = new AtomicBoolean();
        Background<Integer> leads = Background.call(() -> {
            int event;
            do { // a leader that finds a message for another connection also returns
                event = first.far.path.awaitData(first.far, Deadline.NONE);
            } while (event == 0 && !closed.get());
            return event;
        });
        Await.until("it leads", leadership::isLed);
        Await.until("the thread rests", leadership::threadRests);
        closed.set(true);
        first.far.path.wake();
        assertEquals(0, leads.result());
        awaitPassedOnThoughNobodySleeps();
    }

    /** The far end of a connection confirms the connection's end, and credits come back, although no thread waits there. */
    private void awaitPassedOnThoughNobodySleeps() throws Exception {
        int channels = ends.near.channels();
        MxEnds.Connection third = switched();
        third.close();
        Await.until("confirmed", () -> ends.near.channels() == channels);
    }

    @Test
    void theThreadIsThereWhenALeaderHasLeft() throws Exception {
        for (int i = 0; i < 5; i++) {
            wakes(first, longLeader(first));
            awaitPassedOnThoughNobodySleeps();
        }
    }

    /** This is as with the JDK's sockets. */
    @Test
    void anInterruptEndsNoLeadersWait() throws Exception {
        Background<Boolean> leads = Background.call(() -> {
            first.far.read(1);
            return Thread.interrupted();
        });
        Await.until("it leads", leadership::isLed);
        leads.thread().interrupt();
        Await.until("the thread rests", leadership::threadRests);
        assertTrue(leadership.isLed());
        first.near.write(ONE);
        assertTrue(leads.result());
    }

    @Test
    void aVirtualThreadDoesNotLead() throws Exception {
        VirtualThreads.assume();
        long led = Leadership.LED.sum();
        for (int i = 0; i < 20; i++) {
            Background<byte[]> reader = Background.call(() -> first.far.read(1), VirtualThreads.factory()).blocked();
            wakes(first, reader);
        }
        assertEquals(led, Leadership.LED.sum());
    }

    @Test
    void aLeadersDeadlineHoldsInAFloodForOthers() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Background<Void> writer = Background.run(() -> {
            while (!over.get()) {
                second.near.write(ONE);
            }
            second.near.path.finish(false);
        });
        Background<Void> reader = Background.run(() -> {
            byte[] some = new byte[1 << 10];
            while (second.far.read(some, 0) > 0) { }
        });
        for (int i = 0; i < 10; i++) {
            long begun = System.nanoTime();
            long deadline = Deadline.in(50);
            while (!Deadline.hasPassed(deadline)) {
                assertEquals(0, first.far.path.awaitData(first.far, deadline));
            }
            assertTrue(System.nanoTime() - begun < 5_000_000_000L);
        }
        over.set(true);
        writer.result();
        reader.result();
    }

    /** Readers lead, follow, hand on and take over, in a random order. */
    @Test
    void noReaderSleepsThroughItsMessage() throws Exception {
        int rounds = Effort.of(3_000, 100_000);
        Background<Void> one = Background.run(() -> echo(first));
        Background<Void> other = Background.run(() -> echo(second));
        Background<Void> asks = Background.run(() -> ask(first, rounds, 1));
        ask(second, rounds, 2);
        asks.result();
        one.result();
        other.result();
    }

    private static void ask(MxEnds.Connection it, int rounds, int seed) throws Exception {
        Random random = new Random(seed);
        byte[] one = new byte[1];
        for (int i = 0; i < rounds; i++) {
            if (random.nextInt(4) == 0) {
                LockSupport.parkNanos(random.nextInt(200_000) * (random.nextInt(50) == 0 ? 200L : 1L));
            }
            one[0] = (byte) i;
            long since = System.nanoTime();
            it.near.write(one);
            assertArrayEquals(one, it.near.read(1));
            assertInTime(since);
        }
        it.near.path.finish(false);
    }

    private static void echo(MxEnds.Connection it) throws Exception {
        byte[] one = new byte[1];
        while (it.far.read(one, 0) > 0) {
            it.far.write(one);
        }
    }
}
