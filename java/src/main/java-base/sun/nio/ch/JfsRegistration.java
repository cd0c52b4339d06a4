package sun.nio.ch;

import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.JfsEnd;
import java.util.concurrent.TimeUnit;

/**
 * One key of a {@link JfsSelector} whose channel has an end, or may get one: what the selector knows of it. The selecting thread uses the
 * fields. Any thread may call {@link #news}.
 *
 * <p>There is one for a key of another selector too, if its channel has a path. Such a selector, one of the JDK's, waits in the kernel
 * only. So the kernel is asked for an event that TCP always has, room. The selection then asks the channel, which looks at the path. If
 * there is nothing, the path is armed, and the kernel is asked for room no more. News of the path ends the selection, which returns no key,
 * and the next one begins with room again.
 */
final class JfsRegistration {

    private static final int NOT_ARMED = -1;
    /** A path that has to be looked at again so soon is not armed. One that has to be later is told of by TCP. */
    private static final long LATER_NANOS = TimeUnit.SECONDS.toNanos(1);

    final SelectionKeyImpl key;
    /** Null for a selector that is not JFS's. */
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

    /** For another selector: the events for which the path is armed; {@link #NOT_ARMED} if the kernel is asked for room too. */
    private volatile int armedFor = NOT_ARMED;
    /** The events of TCP for which the kernel is asked meanwhile. */
    private int armedAtTcp;

    JfsRegistration(JfsSelector selector, SelectionKeyImpl key) {
        this.selector = selector;
        this.key = key;
    }

    final boolean isOfJfs() {
        return selector != null;
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
        if (selector != null) {
            selector.enqueue(this, true);
        } else if (armedFor != NOT_ARMED) {
            armedFor = NOT_ARMED;
            updateOther();
            key.selector().wakeup();
        } else if (!key.isValid()) {
            ((JfsChannel) key.channel()).remove(this);
        }
    }

    // Of a selector that is not JFS's.

    /** What the kernel is asked for. @param events what the interest set asks for, at least one */
    final int interestOfOther(int events) {
        return armedFor == events ? armedAtTcp : events | Net.POLLOUT;
    }

    /** The selecting thread has found no event. Arms the path, unless there is one now: then the kernel's next selection tells of room. */
    final void armOther(JfsEnd end, int events) {
        armedFor = events; // before the news, which take it back
        if (events != 0 && end.arm(events) < LATER_NANOS) {
            armedFor = NOT_ARMED;
            return;
        }
        armedAtTcp = end.interest(events);
        updateOther();
    }

    /** The next selection asks the channel what the kernel has to watch. */
    private void updateOther() {
        try {
            ((SelectorImpl) key.selector()).setEventOps(key);
        } catch (ClosedSelectorException e) {
            ((JfsChannel) key.channel()).remove(this);
        }
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
