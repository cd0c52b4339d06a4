package jfs.transport.sci;

import jfs.memory.WakeWord;
import jfs.ring.AsleepWord;
import jfs.ring.InboxLayout;
import jfs.spi.FutexWords;
import jfs.wait.WordSleepers;

/**
 * How the thread of one direction announces that it sleeps, or that an armed callback waits in its place: by an asleep word in the inbox
 * that the peer reads.
 */
abstract class InboxSleeper implements WordSleepers.FutexSleeper {

    private final AsleepWord word;
    private final boolean peerKnowsFutex;

    /** @param version of the protocol, which the two ends have agreed on */
    InboxSleeper(AsleepWord word, int version) {
        this.word = word;
        this.peerKnowsFutex = InboxLayout.sleepsInFutex(version);
    }

    @Override
    public boolean maySleepInFutex() {
        return peerKnowsFutex;
    }

    @Override
    public void announce() {
        word.announce(AsleepWord.BELL);
    }

    @Override
    public void announceFutex() {
        word.announce(AsleepWord.FUTEX);
    }

    @Override
    public void retract() {
        word.retract();
    }

    @Override
    public void addTo(FutexWords words) {
        word.addTo(words);
    }

    @Override
    public boolean sleepInFutex(WakeWord own, long nanos) {
        return word.sleep(own, nanos);
    }
}
