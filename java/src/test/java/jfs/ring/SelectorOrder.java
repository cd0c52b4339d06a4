package jfs.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import jfs.memory.SleepWords;
import jfs.memory.WakeWord;
import jfs.spi.FutexWords;
import jfs.wait.UnwatchedSleepers;
import jfs.wait.WordSleepers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Whether a selector that arms a connection and the peer that has news for it miss each other (NIO-4): tests for jcstress, which
 * {@link RingOrderTest} runs. The order of the selector's steps is that of {@link jfs.wait.Sleepers#arm}.
 */
public final class SelectorOrder {

    private static final byte[] ONE = {1};

    private SelectorOrder() {
    }

    /** A connection's reader that a selector arms. */
    public abstract static class Armed extends Direction implements WordSleepers.FutexSleeper {

        final UnwatchedSleepers sleepers = new UnwatchedSleepers();

        @Override
        public boolean arrived() {
            return receive(ONE) != 0;
        }

        @Override
        public boolean comeByWords() {
            return true;
        }

        @Override
        public long watch(long nanos, long alone, long lost) {
            throw new AssertionError("no thread polls");
        }

        @Override
        public void announce() {
            senders.reader().announce(AsleepWord.BELL);
        }

        @Override
        public boolean maySleepInFutex() {
            return true;
        }

        @Override
        public void announceFutex() {
            senders.reader().announce(AsleepWord.FUTEX);
        }

        @Override
        public void addTo(FutexWords words) {
            senders.reader().addTo(words);
        }

        @Override
        public boolean sleepInFutex(WakeWord own, long nanos) {
            throw new AssertionError("no thread sleeps");
        }

        @Override
        public void retract() {
            senders.reader().retract();
        }
    }

    /** ORDER-1, SLEEP-1: the peer finds the word at which the selector is about to sleep, or the selector's last look sees the bytes. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASelectorThatSleepsAtWordsIsWoken extends Armed {

        private final SleepWords words = new SleepWords();

        @Actor
        public void peer(ZZ_Result r) {
            send(ONE);
            r.r1 = senders.reader().take() == AsleepWord.FUTEX;
        }

        @Actor
        public void selector(ZZ_Result r) {
            r.r2 = !sleepers.arm(this, () -> { }, words);
        }
    }

    /** SLEEP-5: the bell that the peer rings runs the callback, or the selector's last look sees the bytes. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASelectorThatSleepsInTheKernelIsTold extends Armed {

        private volatile boolean told;
        private boolean looked;

        @Actor
        public void peer(ZZ_Result r) {
            send(ONE);
            if (senders.reader().take() == AsleepWord.BELL) {
                sleepers.runCallbacks();
            }
        }

        @Actor
        public void selector(ZZ_Result r) {
            looked = !sleepers.arm(this, () -> told = true, null);
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = told;
            r.r2 = looked;
        }
    }

    /** SLEEP-3: a thread of this process that wakes the end runs the callback, or the selector's last look finds the wake. */
    @JCStressTest
    @Outcome(id = {"true, false", "false, true", "true, true"}, expect = ACCEPTABLE)
    @State
    public static class ASelectorIsToldOfAWake extends Armed {

        private volatile boolean told;
        private boolean looked;

        @Actor
        public void closer(ZZ_Result r) {
            sleepers.wake();
        }

        @Actor
        public void selector(ZZ_Result r) {
            looked = !sleepers.arm(this, () -> told = true, null);
        }

        @Arbiter
        public void afterwards(ZZ_Result r) {
            r.r1 = told;
            r.r2 = looked;
        }
    }
}
