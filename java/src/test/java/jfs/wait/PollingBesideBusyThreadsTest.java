package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Whether a thread polls where other threads of the process compute. */
class PollingBesideBusyThreadsTest extends PollingTestCase {

    /** More turns than there would be in the tests' intervals if the other threads computed all the time. */
    private static final int MANY_TURNS = 2_000;

    @Test
    void whereOtherThreadsOfTheProcessComputeNobodyPolls() throws IOException {
        Polling polling = polling();
        Polling overTcp = newOverTcp();
        assertTrue(polls(polling));
        machine.others = 0.2;
        machine.now += 10_000_000;
        assertTrue(polls(polling), "a little is no harm");
        machine.others = 1;
        machine.now += 10_000_000;
        overTcp.poll(machine.never());
        machine.now += 10_000_000;
        machine.yields = machine.looks = 0;
        assertFalse(polling.poll(machine.in(5_000)));
        assertEquals(1, machine.looks);
        assertTrue(polling.poll(machine.in(0)), "what is there");
        assertEquals(0, polling.firstLooks());
        assertFalse(overTcp.poll(machine.in(0)), "to look takes a system call, and so does to read");
        assertEquals(0, machine.yields);
        assertTrue(polling.pollInAnyCase(machine.in(5_000)), "the reader is at work");
        comeToWait(polling(), machine, MANY_TURNS);
        machine.now += 10_000_000;
        machine.yields = 0;
        assertTrue(polling.poll(machine.in(300)), "where the others wait too the core is yielded");
        assertEquals(1, machine.yields);
        assertTrue(machine.shared());
        machine.now += 10_000_000;
        assertFalse(polling.poll(machine.in(300)), "a thread that is alone sleeps again");
        machine.others = 0;
        machine.now += 10_000_000;
        assertTrue(polls(polling));
    }

    @Test
    void aSelectorPollsBesideThreadsThatComputeUnlessSleepsBringMore() throws IOException {
        SelectorPolling polling = new SelectorPolling(machine, MICROS);
        machine.others = 1;
        polling.poll(machine.never());
        machine.now += 10_000_000;
        assertTrue(partThatPolls(polling, 60_000, 60_000) > 0.9, "as fast with polls");
        machine.yields = 0;
        assertTrue(polling.poll(machine.in(10_000)));
        assertTrue(machine.yields > 1, "the other threads want the core: " + machine.yields);
        assertTrue(partThatPolls(polling, 60_000, 90_000) < 0.1, "slower with polls");
        assertTrue(partThatPolls(polling, 60_000, 40_000) > 0.9, "faster with polls");
    }

    /**
     * Plays twenty seconds of waits whose answers come from other threads of the process.
     *
     * @param sleeping nanoseconds from the end of a wait to the end of the next where the thread sleeps
     * @param polls the same where it polls
     * @return how many of the waits in the second half have polled
     */
    private double partThatPolls(SelectorPolling polling, long sleeping, long polls) throws IOException {
        long half = machine.now + 10_000_000_000L;
        int all = 0;
        int polled = 0;
        while (machine.now < half + 10_000_000_000L) {
            long began = machine.now;
            boolean hasPolled = polling.poll(machine.in(5_000));
            if (!hasPolled) {
                polling.slept(5_000);
            }
            machine.now = began + (hasPolled ? polls : sleeping);
            polling.found();
            if (machine.now > half) {
                all++;
                polled += hasPolled ? 1 : 0;
            }
        }
        return (double) polled / all;
    }

    /** The kernel adds up the times of all threads, which takes long where there are thousands. */
    @Test
    void askingWhatOthersUseTakesASmallPartOfTheTimeHoweverManyConnectionsThereAre() throws IOException {
        Polling[] all = new Polling[100];
        Arrays.setAll(all, i -> polling());
        machine.asking = 50_000;
        long start = machine.now;
        for (int i = 0; i < 20 * all.length; i++) {
            machine.now += 20_000; // so each connection has one wait in two milliseconds
            all[i % all.length].poll(machine.in(0));
        }
        long asking = machine.asks * machine.asking;
        assertTrue(machine.asks > 10 && asking < (machine.now - start) / 25, machine.asks + " asks in " + (machine.now - start) + " ns");
    }

    /** Lets a thread come to wait that has seen other threads compute. So it sleeps each time. */
    private static void comeToWait(Polling polling, Machine machine, int times) throws IOException {
        polling.poll(machine.never());
        machine.now += 20_000_000;
        machine.yields = 0;
        for (int i = 0; i < times; i++) {
            assertFalse(polling.poll(machine.never()));
        }
        assertEquals(0, machine.yields);
    }

    @Test
    void theOnlyCoreIsNotOfferedToThreadsOfTheProcessThatCompute() throws IOException {
        Machine one = new Machine(1);
        one.others = 0.5;
        Polling polling = Polling.ofMemory(one, MICROS);
        comeToWait(polling, one, MANY_TURNS);
        one.now += 20_000_000;
        polling.poll(one.never());
        assertEquals(0, one.yields, "its own turns say nothing of the others");
        comeToWait(Polling.ofMemory(one, MICROS), one, MANY_TURNS);
        one.now += 20_000_000;
        polling.poll(one.never());
        assertEquals(1, one.yields, "those who wait in turns are let through");
        one.now += 20_000_000;
        polling.poll(one.never());
        assertEquals(1, one.yields, "they have come no more");
        one.others = 0;
        one.now += 20_000_000;
        polling.poll(one.never());
        assertEquals(2, one.yields);
    }

    @Test
    void aThreadPollsWhileThoseThatComputeLeaveACore() throws IOException {
        Machine four = new Machine(4);
        Polling polling = Polling.ofMemory(four, MICROS);
        assertTrue(polling.poll(four.in(5_000)));
        four.others = 2.2;
        four.now += 10_000_000;
        assertTrue(polling.poll(four.in(5_000)));
        four.others = 2.5;
        four.now += 20_000_000;
        assertFalse(polling.poll(four.in(5_000)));
    }
}
