package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A virtual thread that polls: it yields its carrier, and only then the core. */
class PollingOnVirtualThreadsTest extends PollingTestCase {

    @Test
    void aVirtualThreadYieldsItsCarrierFirst() throws IOException {
        share();
        machine.virtual = true;
        machine.away = 5_000;
        machine.yields = machine.coreYields = 0;
        assertTrue(polling().poll(machine.in(3_000)));
        assertEquals(1, machine.yields);
        assertEquals(0, machine.coreYields);
        assertTrue(polling().poll(machine.in(8_000)));
        assertEquals(3, machine.yields);
        assertEquals(1, machine.coreYields);
        assertFalse(polling().pollInAnyCase(machine.never()));
        assertEquals(5, machine.yields, "then it sleeps");
        assertEquals(2, machine.coreYields);
    }

    @Test
    void aVirtualThreadYieldsItsCarrierBeforeItSpins() throws IOException {
        machine.virtual = true;
        assertTrue(polling().poll(machine.in(20_000)));
        assertTrue(machine.yields > 10, machine.yields + " yields");
    }

    @Test
    void aVirtualThreadWhoseCarrierIsWantedLooksOnceMoreAndSleeps() throws IOException {
        machine.virtual = true;
        machine.away = 15_000;
        Polling polling = polling();
        assertTrue(polling.poll(machine.in(10_000)), "the answer has come meanwhile");
        polling.slept(NANOS);
        machine.looks = 0;
        machine.yields = 0;
        assertFalse(polling.poll(machine.never()));
        assertEquals(1, machine.yields);
        assertEquals(0, machine.coreYields);
        assertEquals(2, machine.looks, "before and after: another thread wanted the carrier the last time too");
    }

    @Test
    void aVirtualThreadWhoseCarrierManyWantYieldsTheCoreToo() throws IOException {
        machine.virtual = true;
        machine.away = 100_000;
        Polling polling = polling();
        assertTrue(polling.poll(machine.in(50_000)), "the answer has come meanwhile");
        polling.slept(NANOS);
        machine.looks = 0;
        machine.yields = 0;
        assertFalse(polling.poll(machine.never()));
        assertEquals(1, machine.coreYields, "threads of other processes may want the core too");
        assertEquals(1, machine.yields - machine.coreYields);
        assertEquals(3, machine.looks, "before and after each yield: another thread wanted the carrier the last time too");
    }

    @Test
    void aVirtualThreadSleepsNowAndThenHoweverSoonItsAnswersCome() throws IOException {
        machine.virtual = true;
        Polling polling = polling();
        int polls = 0;
        while (polling.poll(machine.in(0)) && polls < 10_000) {
            polls++;
        }
        assertTrue(polls > 100 && polls < 10_000, polls + " polls");
        polling.slept(NANOS);
        assertTrue(polling.poll(machine.in(0)), "and then it goes on");
    }
}
