package jfs.transport.sci;

import jfs.ring.Inbox;
import jfs.steps.Step;

/**
 * What this end says of itself in the inbox that the peer reads: the word RECEIVER, and the end of its stream. Three threads may change one
 * bit each. None of them may publish an old value of another bit. The caller keeps the memory mapped.
 */
final class EndWords {

    private final Inbox theirs;

    // Guarded by this.
    private boolean ready;
    private boolean takesUrgent;
    private boolean receiverClosed;
    private boolean finished;

    EndWords(Inbox theirs) {
        this.theirs = theirs;
    }

    synchronized void ready() {
        ready = true;
        publishReceiver();
    }

    synchronized void takeUrgent(boolean inline) {
        takesUrgent = inline;
        publishReceiver();
    }

    synchronized void closeReceiver() {
        receiverClosed = true;
        publishReceiver();
    }

    private void publishReceiver() {
        theirs.setReceiver(ready, takesUrgent, receiverClosed);
    }

    /** Only the first call counts. */
    synchronized void finish(boolean reset) {
        if (!finished) {
            finished = true;
            theirs.setEnded(reset);
            Step.END_PUBLISHED.reached();
        }
    }
}
