package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Which threads poll, for how long, and when not. */
class PollingTest extends PollingTestCase {

    @Test
    void findsWhatComesInTimeAndGivesUpAfterwards() throws IOException {
        assertTrue(polling().poll(machine.in(NANOS - 5_000)));
        long start = machine.now;
        assertFalse(polling().poll(machine.never()));
        long took = machine.now - start;
        assertTrue(took >= NANOS && took < NANOS + 2_000, took + " ns");
    }

    @Test
    void zeroMicrosNeverPollAndOfferNothing() throws IOException {
        assertFalse(Polling.ofMemory(machine, 0).poll(machine.in(0)));
        Machine one = new Machine(1);
        assertFalse(Polling.ofMemory(one, 0).pollInAnyCase(one.in(0)));
        assertEquals(0, machine.looks + one.looks);
        assertEquals(0, machine.yields + one.yields);
    }

    @Test
    void aPollTakesTheMicrosThatHoldNow() throws IOException {
        Polling polling = polling();
        polling.micros(4 * MICROS);
        assertTrue(polling.poll(machine.in(4 * NANOS - 5_000)));
        polling.micros(0);
        int before = machine.looks;
        assertFalse(polling.poll(machine.in(0)));
        assertEquals(before, machine.looks);
        polling.micros(MICROS);
        long start = machine.now;
        assertFalse(polling.pollInAnyCase(machine.never()));
        long took = machine.now - start;
        assertTrue(took >= NANOS && took < NANOS + 2_000, took + " ns");
    }

    @Test
    void theOnlyCoreIsOffered() throws IOException {
        Machine one = new Machine(1);
        assertTrue(Polling.ofMemory(one, MICROS).poll(one.in(300)));
        assertEquals(1, one.yields);
        assertFalse(Polling.ofMemory(one, MICROS).poll(one.never()));
        assertEquals(2, one.yields, "once");
        assertFalse(Polling.bySystemCall(one, MICROS, lessons).poll(one.in(0)));
    }

    @Test
    void firstLooksNeedConfidence() throws IOException {
        Polling polling = polling();
        assertTrue(polling.firstLooks() > 0);
        assertFalse(polling.poll(machine.never()));
        assertEquals(0, polling.firstLooks(), "no confidence");
        polling.slept(NANOS);
        polling.slept(NANOS);
        assertTrue(polling.firstLooks() > 0);
        for (int i = 0; i < 4; i++) {
            polling.foundAtFirst();
        }
        assertFalse(polling.poll(machine.never()));
        assertTrue(polling.firstLooks() > 0, "what was found raises the confidence");
        machine.virtual = true;
        assertEquals(0, polling.firstLooks(), "its carrier is to be yielded first");
        assertEquals(0, Polling.ofMemory(machine, 0).firstLooks());
        assertEquals(0, Polling.ofMemory(new Machine(1), MICROS).firstLooks());
    }

    @Test
    void failuresLowerTheConfidenceAndShortSleepsRaiseIt() throws IOException {
        Polling polling = polling();
        assertFalse(polling.poll(machine.never()));
        assertFalse(polls(polling), "no confidence");
        polling.slept(10 * NANOS);
        assertFalse(polls(polling), "a long sleep raises nothing");
        for (int i = 0; i < 3; i++) {
            polling.slept(NANOS);
        }
        assertTrue(polls(polling));
    }

    @Test
    void aThirdOfFailuresIsTooMuch() throws IOException {
        Polling polling = polling();
        int refused = 0;
        for (int i = 0; i < 30; i++) {
            if (i % 3 == 0) {
                polling.poll(machine.never());
            } else {
                refused += polls(polling) ? 0 : 1;
            }
        }
        assertTrue(refused > 13, refused + " of 20");
    }

    @Test
    void yieldsTheCoreLateUnlessThatHelpedTheLastTime() throws IOException {
        Polling polling = polling();
        assertTrue(polling.poll(machine.in(15_000)));
        assertEquals(0, machine.yields);
        machine.away = 5_000; // the peer takes the core, and answers
        assertTrue(polling.poll(machine.in(22_000)));
        assertEquals(1, machine.yields);
        assertTrue(polling.poll(machine.in(4_000)));
        assertEquals(2, machine.yields, "early this time");
    }

    @Test
    void whoWaitsWithoutConfidenceYieldsTheCore() throws IOException {
        Polling polling = polling();
        assertFalse(polling.poll(machine.never()));
        machine.yields = 0;
        assertTrue(polling.poll(machine.in(300)));
        assertEquals(1, machine.yields);
    }
}
