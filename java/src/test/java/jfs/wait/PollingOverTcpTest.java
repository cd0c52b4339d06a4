package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Polling by system calls, for connections over TCP: what they learn from each other, and the trial of sleeping. */
class PollingOverTcpTest extends PollingTestCase {

    /** Ends the first try of sleeping, so that the connections over TCP try polling. */
    private void pollingIsTriedOverTcp() {
        Polling polling = newOverTcp();
        for (int i = 0; i <= PollTrial.TRIED_NANOS / 20_000; i++) {
            machine.now += 20_000;
            polling.slept(20_000);
        }
    }

    /** Most connections over TCP are too short to learn it anew. */
    @Test
    void aConnectionOverTcpBeginsWithWhatTheFirstWaitsOfOthersHaveTaught() throws IOException {
        pollingIsTriedOverTcp();
        Polling late = newOverTcp();
        assertFalse(late.poll(machine.never()));
        late.slept(10 * NANOS);
        assertEquals(0, newOverTcp().firstLooks(), "without confidence");
        for (int i = 0; i < 3; i++) {
            newOverTcp().slept(1_000);
        }
        assertEquals(2, newOverTcp().firstLooks(), "raised again");
        assertFalse(Polling.ofMemory(machine, MICROS).poll(machine.never()));
        assertEquals(2, newOverTcp().firstLooks(), "memory is another matter");
    }

    /** As a pool's connection to a database beside short connections to a slow service. */
    @Test
    void aLongConnectionOverTcpDoesNotSpeakForShortOnes() throws IOException {
        pollingIsTriedOverTcp();
        Polling brisk = newOverTcp();
        int polled = 0;
        for (int i = 0; i < PollTrial.TRIED; i++) {
            assertTrue(brisk.poll(machine.in(1_000)));
            machine.looks = 0;
            Polling slow = newOverTcp();
            assertFalse(slow.poll(machine.never()));
            slow.slept(10 * NANOS);
            polled += machine.looks > 0 ? 1 : 0;
        }
        assertTrue(polled <= 2, polled + " polled in vain");
    }

    @Test
    void aVirtualThreadLooksForNothingOverTcpWithoutConfidence() throws IOException {
        pollingIsTriedOverTcp();
        assertFalse(newOverTcp().poll(machine.never()));
        machine.virtual = true;
        machine.looks = 0;
        assertFalse(newOverTcp().poll(machine.in(0)));
        assertEquals(0, machine.looks);
    }

    @Test
    void aSystemCallIsNotWorthItWhereThePeerSharesTheCore() throws IOException {
        pollingIsTriedOverTcp();
        Polling polling = newOverTcp();
        machine.away = 5_000;
        assertTrue(polling.poll(machine.in(22_000)));
        machine.looks = 0;
        assertFalse(polling.poll(machine.in(0)));
        assertEquals(0, machine.looks);
    }

    /** A peer that is woken onto a sleeper's core may answer sooner than a peer to which a polling thread does not leave its core. */
    @Test
    void overTcpItSleepsUnlessMoreWaitsEndInATimeWhenItPolls() throws IOException {
        assertEquals(PollTrial.TRIED_NANOS / 30_000, pollsOverTcp(30_000, 10_000, 10_000), 10);
    }

    /** Otherwise the trial's sleeps would use up the connection's confidence, and no wait would poll when polling is tried. */
    @Test
    void overTcpLongSleepsThatTheTrialWantsLowerNoConfidence() throws IOException {
        int polls = pollsOverTcp(30_000, 150_000, 10_000);
        assertTrue(polls > 8_000, polls + " polls");
    }

    /** @return how many of these waits polled. A poll takes {@code polling} nanoseconds, a sleep {@code sleeping} */
    private int pollsOverTcp(int polling, int sleeping, int waits) throws IOException {
        Polling overTcp = newOverTcp();
        int polls = 0;
        for (int i = 0; i < waits; i++) {
            if (overTcp.poll(machine.in(polling))) {
                polls++;
            } else {
                machine.now += sleeping;
                overTcp.slept(sleeping);
            }
        }
        return polls;
    }
}
