package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Polling where more threads want to poll than there are cores to spare, and where a core was lost to another program. */
class PollingOnSharedCoresTest extends PollingTestCase {

    private static final long LOST = 300_000;
    private static final long LONG_LOST = 3_000_000;
    private static final long SHARED = 1_000_000;

    @Test
    void whereMoreThreadsPollThanCoresAreToSpareNobodyPollsForAWhile() throws IOException {
        share();
        assertFalse(polls(polling()));
        assertEquals(1, machine.yields);
        assertEquals(0, polling().firstLooks());
        assertEquals(2, newOverTcp().firstLooks(), "another matter");
        machine.now += SHARED;
        assertTrue(polls(polling()));
        assertTrue(polling().firstLooks() > 0);
    }

    @Test
    void pollingGoesOnWhileOffersAreTakenAndOtherThreadsComeToWait() throws IOException {
        share();
        for (int i = 0; i < 300; i++) {
            machine.away = 5_000;
            machine.meanwhile = () -> {
                machine.away = 300;
                assertFalse(polling().poll(machine.never()));
            };
            assertTrue(polling().poll(machine.in(4_000)));
        }
        assertFalse(polls(polling()));
        machine.now += SHARED;
        assertTrue(polls(polling()));
    }

    /** The conversation's two ends are on one core, which says nothing of other cores. */
    @Test
    void oneConversationThatGoesOnAlonePollsAgain() throws IOException {
        share();
        Polling polling = polling();
        for (int i = 0; i < 300; i++) {
            machine.away = 5_000;
            assertTrue(polling.poll(machine.in(4_000)));
        }
        machine.away = 300;
        assertTrue(polls(polling));
    }

    @Test
    void aWriterOffersTheCoreWhereCoresAreShared() throws IOException {
        share();
        assertTrue(polling().pollInAnyCase(machine.in(300)));
        assertFalse(polling().pollInAnyCase(machine.never()));
        assertEquals(2, machine.yields);
    }

    /** A program that computes keeps the core to the end of its time slice. */
    @Test
    void afterACoreWasAwayForLongNoneIsOfferedForAWhile() throws IOException {
        share();
        machine.away = 3_000_000;
        assertFalse(polling().poll(machine.never()));
        machine.yields = 0;
        assertTrue(polling().poll(machine.in(0)), "it still looks");
        assertFalse(polling().poll(machine.never()));
        assertEquals(0, machine.yields);
        machine.now += 2 * 3_000_000;
        assertFalse(polling().poll(machine.never()));
        assertEquals(1, machine.yields);
    }

    /** Waiting threads of this process had the core, not another program. */
    @Test
    void aCoreThatWasAwayWhileOthersWaitedIsOfferedAgain() throws IOException {
        share();
        machine.away = 3_000_000;
        machine.meanwhile = () -> {
            machine.away = 300;
            machine.share();
            for (int i = 0; i < 100; i++) {
                assertFalse(polling().poll(machine.never()));
            }
        };
        assertFalse(polling().poll(machine.never()));
        machine.yields = 0;
        assertFalse(polling().poll(machine.never()));
        assertEquals(1, machine.yields);
    }

    @Test
    void aLostCoreStopsAllPollingForAWhile() throws IOException {
        machine.away = LOST;
        assertFalse(polling().poll(machine.never()));
        machine.away = 300;
        machine.now += SHARED;
        assertTrue(polls(polling()), "other threads that wait for news may have had it for so long");

        machine.away = LONG_LOST;
        assertFalse(polling().poll(machine.never()));
        machine.away = 300;
        machine.now += SHARED;
        machine.yields = 0;
        assertFalse(polls(polling()));
        assertFalse(polls(newOverTcp()));
        assertEquals(0, polling().firstLooks());
        assertEquals(0, machine.yields, "no core is yielded either");
        machine.now += 2 * LONG_LOST;
        assertTrue(polls(polling()));
        assertTrue(polling().firstLooks() > 0);
    }

    /** A program that computes takes the core in the middle of a poll that has not yielded it. */
    @Test
    void aCoreThatWasTakenIsLostToo() throws IOException {
        News newsAfterALoss = () -> {
            machine.looks++;
            machine.now += machine.looks == 100 ? LONG_LOST : 10;
            return machine.looks >= 100;
        };
        assertFalse(polling().poll(newsAfterALoss), "a lost core is no success, whatever came meanwhile");
        assertEquals(0, machine.yields);
        assertTrue(machine.crowded());
    }

    @Test
    void aThreadDoesNotPollOnTheLastCore() throws IOException {
        boolean[] other = new boolean[1];
        assertTrue(polling().poll(() -> {
            machine.now += 100;
            if (machine.now < 10_000 || machine.now > 10_200) {
                return machine.now > 20_000;
            }
            other[0] = polls(polling());
            return false;
        }));
        assertFalse(other[0], "a second poller on two cores");
        assertFalse(polls(polling()), "two want to: so the cores are shared");
        machine.now += SHARED;
        assertTrue(polls(polling()), "and none is counted any more");
    }
}
