package sun.nio.ch;

import java.nio.channels.SelectionKey;
import java.nio.channels.spi.JfsEnd;

/**
 * One key of a {@link JfsSelector} whose channel has an end, or may get one: what the selector knows of it. The selecting thread uses the
 * fields. Any thread may call {@link #news}.
 */
final class JfsRegistration {

    final SelectionKeyImpl key;
    private final JfsSelector selector;

    /** Whether this registration is in the selector's queue; and the next one there. Guarded by the selector's lock. */
    boolean isQueued;
    JfsRegistration next;

    /** Whether it is among those that the selector looks at. */
    boolean isActive;
    /** The events of poll(2) that the present selection waits for. */
    int watched;
    /** Which events the last look has found. */
    int events;
    /** The next look has to include TCP: the last attempt to wait for news has found some there. */
    boolean looksAtTcp;
    /** How many looks in a row have not included TCP. */
    private int looksAtPathOnly;
    /** How many looks in a row have found none. */
    int looksInVain;
    /** The selection in which the JDK's part has reported this key last. */
    private long reportedIn = -1;

    JfsRegistration(JfsSelector selector, SelectionKeyImpl key) {
        this.selector = selector;
        this.key = key;
    }

    /** The events of poll(2) for which the program has the channel watched. */
    final int wanted() {
        int ops = key.nioInterestOps();
        return ((ops & SelectionKey.OP_READ) != 0 ? Net.POLLIN : 0) | ((ops & SelectionKey.OP_WRITE) != 0 ? Net.POLLOUT : 0);
    }

    /**
     * Whether the next look includes TCP. Only TCP tells of a death. An attempt to wait for news asks TCP, but none is made while the path
     * always has an event: for a key that waits for room, too, there is room all the time (NIO-3).
     *
     * @param looksMax at least every so many looks
     */
    final boolean asksTcp(int looksMax) {
        boolean asks = looksAtTcp || ++looksAtPathOnly >= looksMax;
        looksAtTcp = false;
        if (asks) {
            looksAtPathOnly = 0;
        }
        return asks;
    }

    /** Whether no other selector has the channel. A connection has one asleep word for each direction, at which one selector can sleep. */
    final boolean isAlone() {
        return ((JfsChannel) key.channel()).hasOneRegistration();
    }

    final JfsEnd end() {
        return JfsChannel.endOf(key);
    }

    /** The selector looks at this registration again, soon. */
    final void news() {
        selector.enqueue(this, true);
    }

    /** The JDK's part of the present selection has looked at this key. @param found whether it has reported an event */
    final void reported(boolean found) {
        if (found) {
            reportedIn = selector.selections();
        } else {
            selector.eventWasNone();
            selector.enqueue(this, false); // a look corrects what the kernel is asked for
        }
    }

    final boolean isReported() {
        return reportedIn == selector.selections();
    }
}
