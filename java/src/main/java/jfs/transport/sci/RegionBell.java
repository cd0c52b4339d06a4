package jfs.transport.sci;

import java.util.concurrent.RejectedExecutionException;
import jfs.nativelib.Posix;
import jfs.ring.AsleepWord;
import jfs.ring.BellWord;
import jfs.sisci.SciBell;
import jfs.threads.EventLoop;
import jfs.wait.SharedBell;
import jfs.wait.Sleepers;
import jfs.wait.WordSleepers;

/**
 * This process's bell for all its ends in one region (BELL-4). A thread that rings it has taken the asleep word of the thread
 * that is to wake up. So the watching thread looks at these words of all places, sixteen at most, and unparks the threads whose
 * word was taken. {@link BellWord} explains how several signals become one.
 */
final class RegionBell implements SharedBell, EventLoop.Handler {

    /** An end of this process. */
    private record End(WordSleepers sleepers, AsleepWord reader, AsleepWord writer) {
    }

    private final Region region;
    private final BellWord word;
    /** The ends by place. Guarded by this. The memory of an end is mapped for as long as the end is in this array. */
    private final End[] ends;
    /** Null once the region has ended. Guarded by this: the bell is freed only after it is null here. */
    private SciBell bell;
    private EventLoop loop;
    private Long tag;
    private boolean toldThatPeerHasGone;
    /** The ends that the watching thread is about to tell of a signal, by place. Only that thread uses them. */
    private final WordSleepers[] rungReaders;
    private final WordSleepers[] rungWriters;

    /**
     * @param word of the inbox that this process reads in the first place
     * @param bell is also rung when the peer has gone
     */
    RegionBell(Region region, BellWord word, SciBell bell) {
        this.region = region;
        this.word = word;
        this.ends = new End[region.places()];
        this.rungReaders = new WordSleepers[region.places()];
        this.rungWriters = new WordSleepers[region.places()];
        this.bell = bell;
    }

    /** The number by which the peer process finds the bell. */
    int number() {
        return bell.number();
    }

    /**
     * A thread of that end may sleep by this bell from now on.
     *
     * @param reader the word by which its reading thread announces itself
     * @param writer the same for its writing thread
     */
    synchronized void enter(int place, WordSleepers sleepers, AsleepWord reader, AsleepWord writer) {
        ends[place] = new End(sleepers, reader, writer);
    }

    /** No thread of that end sleeps any more. Called before its memory may be unmapped. Allocates nothing. */
    synchronized void leave(int place) {
        ends[place] = null;
    }

    @Override
    public synchronized void watchedBy(EventLoop poller) {
        if (loop == null && bell != null) {
            tag = poller.watch(bell.descriptor(), Posix.POLLIN | Posix.EPOLLET, this);
            loop = poller;
        }
    }

    /**
     * The bell was rung, by the peer or because the peer has gone (BELL-2). Called on the watching thread. It looks at the words under the
     * monitor, because their memory may be unmapped otherwise. It tells the ends without the monitor, because an armed callback may wait
     * for a lock of its program.
     */
    @Override
    public void ready(int events) {
        boolean gone;
        synchronized (this) {
            if (bell == null) {
                return;
            }
            bell.acknowledge();
            word.hush();
            gone = region.isPeerGone() && !toldThatPeerHasGone;
            for (int i = 0; i < ends.length; i++) {
                End end = ends[i];
                rungReaders[i] = end != null && (gone || end.reader.isTaken()) ? end.sleepers : null;
                rungWriters[i] = end != null && (gone || end.writer.isTaken()) ? end.sleepers : null;
            }
        }
        boolean again = tell(gone);
        synchronized (this) {
            toldThatPeerHasGone |= gone && !again;
            if (again && bell != null) {
                bell.ringOurselves();
            }
        }
    }

    /** @return whether some end could not be told */
    private boolean tell(boolean gone) {
        boolean again = false;
        for (int i = 0; i < rungReaders.length; i++) {
            WordSleepers reader = rungReaders[i];
            WordSleepers writer = rungWriters[i];
            rungReaders[i] = rungWriters[i] = null;
            try {
                if (gone && reader != null) {
                    reader.peerHasGone();
                }
                if (reader != null) {
                    reader.bellRung(Sleepers.READER);
                }
                if (writer != null) {
                    writer.bellRung(Sleepers.WRITER);
                }
            } catch (OutOfMemoryError e) { // unparking a virtual thread takes memory; the signal was for other ends too
                again = true;
            } catch (RejectedExecutionException e) {
                // The JVM shuts down, and runs no virtual threads any more.
            }
        }
        return again;
    }

    /** Called before the region's memory is unmapped. The caller frees the bell afterwards. Allocates nothing. */
    synchronized SciBell end() {
        SciBell last = bell;
        bell = null;
        if (loop != null) {
            loop.forget(tag);
        }
        return last;
    }
}
