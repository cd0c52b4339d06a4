package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which connections are looked at, how often, and what becomes of the looks when one fails. The test is the clock. */
class IdleWatchTest {

    /** The look that is scheduled, or null. */
    private Runnable scheduled;
    private boolean outOfMemory;
    private final IdleWatch watch = new IdleWatch(new IdleWatch.Scheduler() {
        @Override
        public void execute(Runnable task) {
            failForWantOfMemory();
            task.run();
        }

        @Override
        public void after(long millis, Runnable task) {
            failForWantOfMemory();
            assertEquals(TimeUnit.SECONDS.toMillis(2), millis);
            assertNull(scheduled, "two looks at the same time");
            scheduled = task;
        }
    }, () -> { });

    private void failForWantOfMemory() {
        if (outOfMemory) {
            throw new OutOfMemoryError("by the test");
        }
    }

    private final class Connection implements IdleWatch.Watched {
        private long uses = 1;
        private boolean busy;
        private Throwable failure;
        private final List<Boolean> trims = new ArrayList<>();

        @Override
        public long uses() {
            if (failure instanceof OutOfMemoryError e) {
                throw e;
            }
            return uses;
        }

        @Override
        public boolean trim(boolean idle) {
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            trims.add(idle);
            return !busy;
        }
    }

    private void twoSecondsLater() {
        Runnable look = scheduled;
        scheduled = null;
        if (look != null) {
            look.run();
        }
    }

    @Test
    void aConnectionIsLookedAtUntilItIsIdle() {
        Connection connection = new Connection();
        watch.add(connection);
        connection.uses++;
        twoSecondsLater();
        twoSecondsLater();
        assertEquals(List.of(false, true), connection.trims);
        assertNull(scheduled, "a look at no connection");
        watch.add(connection);
        twoSecondsLater();
        assertEquals(List.of(false, true, true), connection.trims);
    }

    @Test
    void aConnectionThatAThreadIsUsingIsLookedAtAgain() {
        Connection connection = new Connection();
        connection.busy = true;
        watch.add(connection);
        twoSecondsLater();
        connection.busy = false;
        twoSecondsLater();
        assertEquals(List.of(true, true), connection.trims);
        assertNull(scheduled);
    }

    @Test
    void oneLookForAllConnections() {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(new Connection());
            watch.add(all.get(i));
        }
        all.get(3).uses++;
        twoSecondsLater();
        twoSecondsLater();
        for (Connection one : all) {
            assertEquals(one == all.get(3) ? List.of(false, true) : List.of(true), one.trims);
        }
        assertNull(scheduled);
    }

    @Test
    void aFailureOfOneConnectionIsTriedAgainAndLeavesTheOthersAlone() {
        for (Throwable failure : List.of(new IllegalStateException("by the test"), new OutOfMemoryError("by the test"))) {
            Connection failing = new Connection();
            Connection other = new Connection();
            watch.add(failing);
            watch.add(other);
            failing.failure = failure;
            twoSecondsLater();
            assertEquals(List.of(true), other.trims);
            failing.failure = null;
            twoSecondsLater();
            assertEquals(List.of(true), failing.trims);
            assertNull(scheduled);
        }
    }

    @Test
    void aConnectionForWhichThereIsNoMemoryIsNotWatched() {
        Connection connection = new Connection();
        connection.failure = new OutOfMemoryError("by the test");
        assertThrows(OutOfMemoryError.class, () -> watch.add(connection));
        assertNull(scheduled);
    }

    @Test
    void theLooksGoOnAfterMemoryHasRunOut() {
        Connection connection = new Connection();
        outOfMemory = true;
        watch.add(connection);
        outOfMemory = false;
        Connection next = new Connection();
        watch.add(next);
        outOfMemory = true;
        next.uses++;
        twoSecondsLater(); // the look after this one can't be scheduled
        assertEquals(List.of(false), next.trims);
        outOfMemory = false;
        watch.add(new Connection());
        twoSecondsLater();
        assertEquals(List.of(true), connection.trims);
        assertEquals(List.of(false, true), next.trims);
        assertNull(scheduled);
    }
}
