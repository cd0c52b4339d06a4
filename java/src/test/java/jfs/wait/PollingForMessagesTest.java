package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Polling for messages, where another thread may wake a sleeper. */
class PollingForMessagesTest extends PollingTestCase {

    private static final long LONG_LOST = 3_000_000;

    @Test
    void forMessagesASystemCallIsWorthItWhereAnotherThreadWakesSleepers() throws IOException {
        Polling polling = Polling.ofMessages(machine, MICROS);
        machine.away = 5_000;
        assertTrue(polling.poll(machine.in(22_000)));
        assertTrue(polling.poll(machine.in(4_000)), "or each time that the thread takes the core would cost sleeps");
    }

    /** A peer that was woken onto this core answers only when it gets the core. */
    @Test
    void whoWaitsForMessagesAndHasSharedItsCoreOffersItBeforeItLooks() throws IOException {
        Polling polling = Polling.ofMessages(machine, MICROS);
        machine.away = 5_000;
        assertTrue(polling.poll(machine.in(22_000)));
        machine.looks = machine.yields = 0;
        assertTrue(polling.poll(machine.in(4_000)));
        assertEquals(1, machine.yields);
        assertEquals(1, machine.looks, "after the yield");
        machine.away = 300; // the peer is on another core
        assertTrue(polling.poll(machine.in(2_000)));
        machine.yields = 0;
        assertTrue(polling.poll(machine.in(2_000)));
        assertEquals(0, machine.yields);
    }

    @Test
    void whoWaitsForMessagesOffersItsCoreBeforeItSleeps() throws IOException {
        Polling polling = Polling.ofMessages(machine, MICROS);
        assertFalse(pollsAfterSleepsOf(10 * NANOS, polling));
        machine.looks = machine.yields = 0;
        assertFalse(polling.poll(machine.in(0)));
        assertEquals(1, machine.yields);
        assertEquals(0, machine.looks, "nobody took it");
        machine.away = 5_000;
        assertTrue(polling.poll(machine.in(4_000)));
    }

    @Test
    void afterACoreThatWasOfferedBeforeASleepWasLostThereAreNoSuchOffers() throws IOException {
        Polling polling = Polling.ofMessages(machine, MICROS);
        assertFalse(pollsAfterSleepsOf(10 * NANOS, polling));
        machine.away = LONG_LOST;
        assertFalse(polling.poll(machine.never()));
        machine.yields = 0;
        assertFalse(polling.poll(machine.never()));
        assertEquals(0, machine.yields);
        machine.now += 2 * LONG_LOST;
        assertFalse(polling.poll(machine.never()));
        assertEquals(1, machine.yields);
    }

    @Test
    void sleepersWhoAreWokenByAThreadInBetweenTakeLongerToFindOutThatPollingWouldPay() throws IOException {
        long twoSleepers = NANOS + 150_000; // with a thread in between at either end
        assertFalse(pollsAfterSleepsOf(twoSleepers, Polling.ofMemory(machine, MICROS)));
        assertTrue(pollsAfterSleepsOf(twoSleepers, Polling.ofMessages(machine, MICROS)), "else both sleep for ever");
        assertFalse(pollsAfterSleepsOf(10 * NANOS, Polling.ofMessages(machine, MICROS)));
    }

    private boolean pollsAfterSleepsOf(long nanos, Polling polling) throws IOException {
        for (int i = 0; i < 3; i++) {
            polling.poll(machine.never());
        }
        for (int i = 0; i < 20; i++) {
            polling.slept(nanos);
        }
        return polling.poll(machine.in(5_000));
    }
}
