package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;

/** What the tests of {@link Polling} share: two cores and a clock of the test's own, and the waits of its threads. */
abstract class PollingTestCase {

    static final int MICROS = 80;
    static final long NANOS = MICROS * 1_000;

    final Machine machine = new Machine(2);
    final Polling.Lessons lessons = new Polling.Lessons();

    Polling polling() {
        return Polling.ofMemory(machine, MICROS);
    }

    /** Whether the thread polls. Without a poll it only looks, yields its core once and looks again, which is over before these news. */
    boolean polls(Polling polling) throws IOException {
        return polling.poll(machine.in(5_000));
    }

    Polling newOverTcp() {
        return Polling.bySystemCall(machine, MICROS, lessons);
    }

    /** Two threads poll at once, and there is one core to spare. */
    void share() throws IOException {
        boolean[] other = new boolean[1];
        long start = machine.now;
        assertTrue(polling().poll(() -> {
            machine.now += 100;
            if (machine.now - start > 5_000 && !other[0]) {
                other[0] = true;
                assertFalse(polls(polling()));
            }
            return machine.now - start > 15_000;
        }));
        assertTrue(other[0]);
        machine.yields = 0;
    }
}
