package jfs.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import jfs.nativelib.Words;
import org.junit.jupiter.api.Test;

/** News that come by words: a native call watches the words, unless the news do not come by words just now. */
class PollingOfWordsTest extends PollingTestCase {

    private static final long LOST = 300_000;
    private static final long LONG_LOST = 3_000_000;

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
}
