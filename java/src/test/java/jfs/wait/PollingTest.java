package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import jfs.nativelib.Words;
import org.junit.jupiter.api.Test;

/** Which threads poll, for how long, and when not. The cores and the clock are the test's own. */
class PollingTest {

    /** More turns than there would be in the tests' intervals if the other threads computed all the time. */
    private static final int MANY_TURNS = 2_000;
    private static final int MICROS = 80;
    private static final long NANOS = MICROS * 1_000;
    private static final long LOST = 300_000;
    private static final long LONG_LOST = 3_000_000;

    private final Machine machine = new Machine(2);
    private final Polling.Lessons lessons = new Polling.Lessons();

    /** What other threads do on a core that was yielded. */
    private interface Yielded {
        void run() throws IOException;
    }

    /** A look at the news takes 10 ns, a yielded core is back after {@link #away}. */
    private static final class Machine extends Cores {
        private long now = 1;
        private long away = 300;
        private int looks;
        private int yields; // of carriers, and of cores
        private int coreYields;
        private boolean virtual;
        private double others; // cores that the process's other threads use
        private long asking; // how long the kernel takes to answer that
        private int asks;
        private long used;
        private long usedAt;
        private Yielded meanwhile = () -> { };

        Machine(int cores) {
            super(cores);
        }

        @Override
        long nanoTime() {
            return now;
        }

        @Override
        void yieldCarrier() {
            assertTrue(virtual);
            pass();
        }

        @Override
        void yieldCore() {
            coreYields++;
            pass();
        }

        private void pass() {
            yields++;
            now += away;
            Yielded then = meanwhile;
            meanwhile = () -> { };
            try {
                then.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        long othersNanos() {
            used += (long) ((now - usedAt) * others);
            usedAt = now;
            now += asking;
            asks++;
            return used;
        }

        @Override
        boolean isVirtualThread() {
            return virtual;
        }

        /** News that arrive at this time. */
        News at(long time) {
            return () -> {
                looks++;
                now += 10;
                return now >= time;
            };
        }

        News in(long nanos) {
            return at(now + nanos);
        }

        News never() {
            return at(Long.MAX_VALUE);
        }
    }

    private Polling polling() {
        return Polling.ofMemory(machine, MICROS);
    }

    @Test
    void findsWhatComesInTimeAndGivesUpAfterwards() throws IOException {
        assertTrue(polling().poll(machine.in(NANOS - 5_000)));
        long start = machine.now;
        assertFalse(polling().poll(machine.never()));
        long took = machine.now - start;
        assertTrue(took >= NANOS && took < NANOS + 2_000, took + " ns");
    }

    /** News that come by words: a native call watches the words, and yields the core. */
    private final class ByWords implements WordNews {
        private boolean byWords = true;
        private long result;
        private long alone;
        private int watched;
        private int looks;

        @Override
        public boolean arrived() {
            looks++;
            machine.now += 10;
            return (result & Words.CHANGED) != 0;
        }

        @Override
        public boolean comeByWords() {
            return byWords;
        }

        @Override
        public long watch(long nanos, long alone, long lost) {
            assertEquals(NANOS, nanos);
            this.alone = alone;
            watched++;
            machine.now += nanos;
            return result;
        }
    }

    @Test
    void newsThatComeByWordsAreWatchedForInOneCall() throws IOException {
        Polling polling = polling();
        ByWords news = new ByWords();
        news.result = 2_000 << Words.AWAY_SHIFT | Words.CHANGED; // the core was taken when it was yielded last
        assertTrue(polling.poll(news));
        assertEquals(1, news.watched);
        assertEquals(1, news.looks, "whether the change is news");
        long longMoment = news.alone;
        assertTrue(polling.poll(news));
        assertTrue(news.alone < longMoment, "a thread that shares a core yields it sooner");
        news.result = Words.CHANGED;
        assertTrue(polling.poll(news));
        assertTrue(polling.poll(news));
        assertEquals(longMoment, news.alone, "and who does not, later");
        news.result = LOST << Words.AWAY_SHIFT | Words.CHANGED;
        assertFalse(polling.pollInAnyCase(news), "a lost core is no success, whatever came meanwhile");
        assertEquals(longMoment, news.alone, "a loss says nothing of whom the core is shared with");
        assertFalse(machine.crowded(), "too short for a program that computes");
        news.result = LONG_LOST << Words.AWAY_SHIFT | Words.CHANGED;
        assertFalse(polling.pollInAnyCase(news));
        assertTrue(machine.crowded(), "another program wants the cores");
        int before = news.watched;
        assertTrue(polling.poll(news), "it still looks");
        news.result = 0;
        assertFalse(polling.poll(news));
        assertEquals(before, news.watched);
    }

    @Test
    void newsThatDoNotComeByWordsNowAreLookedFor() throws IOException {
        ByWords news = new ByWords();
        news.byWords = false;
        machine.away = NANOS;
        assertFalse(polling().pollInAnyCase(news));
        assertTrue(news.looks > 0);
        machine.virtual = true;
        news.byWords = true;
        assertFalse(polling().pollInAnyCase(news));
        assertEquals(0, news.watched, "a carrier is not for one thread alone");
    }

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

    @Test
    void zeroMicrosNeverPollAndOfferNothing() throws IOException {
        assertFalse(Polling.ofMemory(machine, 0).poll(machine.in(0)));
        Machine one = new Machine(1);
        assertFalse(Polling.ofMemory(one, 0).pollInAnyCase(one.in(0)));
        assertEquals(0, machine.looks + one.looks);
        assertEquals(0, machine.yields + one.yields);
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

    /** Whether the thread polls. Without a poll it only looks, yields its core once and looks again, which is over before these news. */
    private boolean polls(Polling polling) throws IOException {
        return polling.poll(machine.in(5_000));
    }

    private Polling newOverTcp() {
        return Polling.bySystemCall(machine, MICROS, lessons);
    }

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

    // Shared cores.

    private static final long SHARED = 1_000_000;

    /** Two threads poll at once, and there is one core to spare. */
    private void share() throws IOException {
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

    @Test
    void whoWaitsWithoutConfidenceYieldsTheCore() throws IOException {
        Polling polling = polling();
        assertFalse(polling.poll(machine.never()));
        machine.yields = 0;
        assertTrue(polling.poll(machine.in(300)));
        assertEquals(1, machine.yields);
    }

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
    void aSystemCallIsNotWorthItWhereThePeerSharesTheCore() throws IOException {
        pollingIsTriedOverTcp();
        Polling polling = newOverTcp();
        machine.away = 5_000;
        assertTrue(polling.poll(machine.in(22_000)));
        machine.looks = 0;
        assertFalse(polling.poll(machine.in(0)));
        assertEquals(0, machine.looks);
    }

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

    // Virtual threads.

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
