package sun.nio.ch;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.JfsWaiting;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * The JDK's selector, which also waits for connections with a path. For all other keys it does what the JDK does.
 *
 * <p>A key whose connection has a path is <em>active</em> or <em>armed</em>. The selector looks at active keys at each selection. When it
 * is about to sleep, it arms them: the connection then {@linkplain JfsRegistration#news tells} the selector of news, and the key is active
 * again. So a selection costs what the active connections cost, and a connection that is idle costs nothing (NIO-1).
 *
 * <pre>
 *   selection:  take what was told -> look at the active keys -> one is ready: report it; the kernel too, if that is due
 *                  ^                    | none is ready
 *                  |                  poll memory for a moment, if that is likely to pay
 *                  |                    |
 *                  |                  arm all, each of which looks once more
 *                  |                    |
 *                  +---- told --------- sleep ---> an event of the kernel, wakeup, the time: report
 * </pre>
 *
 * <p>It sleeps where its last news came from. <em>In the kernel</em> it sleeps in the JDK's own selection. Connections with a path tell it
 * by the selector's own wakeup event. <em>At words</em> of memory the peers of active connections wake it by themselves. Another thread of
 * this process watches the kernel's selection meanwhile, and wakes it for an event there.
 *
 * <p>It goes back to sleep if the program has not {@linkplain #wakeup woken} it, and what it was told of turned out to be nothing (NIO-2).
 */
final class JfsSelector extends EPollSelectorImpl implements BooleanSupplier, Runnable {

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long EVENT_IS_SET = UNSAFE.objectFieldOffset(EPollSelectorImpl.class, "interruptTriggered");
    private static final long EPOLL = UNSAFE.objectFieldOffset(EPollSelectorImpl.class, "epfd");

    /** The kernel is asked at least this often while connections with a path are busy: nanoseconds, and selections (NIO-3). */
    private static final long KERNEL_NANOS = 50_000;
    private static final int KERNEL_SELECTIONS = 64;
    /** After so many looks in vain an active key is armed although the selector does not sleep. */
    private static final int LOOKS_IN_VAIN_MAX = 64;
    /** So many sleeps without news of a path, and the selector sleeps in the kernel again. */
    private static final int SLEEPS_IN_VAIN_MAX = 4;
    /** {@link #sleepInKernel}: there is something to look at. */
    private static final int AWAKE = -1;

    private final JfsKeys keys = new JfsKeys();

    private final JfsWakeups wakeups = new JfsWakeups(this);

    // Used by the selecting thread only, which holds the selector's monitor.
    /** Null before it is needed, and if the selector is to sleep in the kernel only. */
    private JfsWaiting waiting;
    private boolean hasWaiting;
    /** How often the selector may still sleep at words without news of a path. */
    private int sleepsAtWords;
    private long selections;
    private long kernelAskedAt;
    private int sinceKernel;
    /** The wakeup event is set for something that is done. The next sleep in the kernel ends at once. */
    private boolean eventIsLeft;
    /** The JDK's part has found an event that was none for the key's connection. */
    private boolean eventWasNone;

    JfsSelector(SelectorProvider provider) throws IOException {
        super(provider);
    }

    // Keys.

    @Override
    protected void implRegister(SelectionKeyImpl key) {
        super.implRegister(key);
        JfsRegistration made = keys.register(this, key);
        if (made != null) {
            enqueue(made, false);
            if (!made.isAlone()) {
                ((JfsChannel) key.channel()).tellSelectors(); // another one may sleep at the connection's words, and can't from now on
            }
            if (!isOpen()) { // a close that runs now may have looked before: one of the two finds the key
                keys.deregister(key);
            }
        }
    }

    @Override
    public void setEventOps(SelectionKeyImpl key) {
        JfsRegistration registration = keys.registration(key);
        JfsEnd end = registration == null ? null : registration.end();
        if (end == null || !end.hasPath() || end.interest(registration.wanted()) != key.registeredEvents()) {
            super.setEventOps(key);
            wakeups.change();
        } // otherwise the kernel need not know. If it has to after all, a look at the key finds that
        if (registration != null) {
            enqueue(registration, false);
        }
    }

    @Override
    protected void implDereg(SelectionKeyImpl key) throws IOException {
        try {
            super.implDereg(key);
        } finally {
            keys.deregister(key);
        }
    }

    /** The JDK closes a selector without a call of {@link #implDereg}. */
    @Override
    protected void implClose() throws IOException {
        try {
            if (waiting != null) {
                waiting.close();
            }
            super.implClose();
        } finally {
            keys.deregisterAll();
        }
    }

    /** @return null if JFS has nothing to do with the key */
    final JfsRegistration registration(SelectionKeyImpl key) {
        return keys.registration(key);
    }

    /** The number of the present selection. */
    final long selections() {
        return selections;
    }

    final void eventWasNone() {
        eventWasNone = true;
    }

    // What other threads tell.

    /** The selector looks at this registration at its next selection. @param wakes whether it does so now if it sleeps */
    final void enqueue(JfsRegistration registration, boolean wakes) {
        wakeups.enqueue(registration, wakes);
    }

    /** Another thread has found an event of the kernel. */
    @Override
    public void run() {
        wakeups.kernelHasEvent();
    }

    /** Called by the program, and by the JDK when a selecting thread is interrupted or the selector closed. */
    @Override
    public Selector wakeup() {
        wakeups.wakeup();
        return this;
    }

    /** Called by {@link JfsWakeups} while the selecting thread sleeps in the kernel's selection, or is about to. */
    final void wakeInKernel() {
        super.wakeup();
    }

    // A selection.

    @Override
    protected int doSelect(Consumer<SelectionKey> action, long timeout) throws IOException {
        selections++;
        long deadline = timeout > 0 ? System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeout) : 0;
        wakeups.takeQueued(keys);
        keys.takeInterest();
        for (;;) {
            wakeups.takeQueued(keys);
            keys.activateIfDue();
            boolean found = look();
            if (found || timeout == 0 || wakeups.isWoken()) {
                return report(action, found, timeout == 0 || wakeups.isWoken() || isKernelDue());
            }
            if (keys.count() > 0 && poll()) {
                continue;
            }
            boolean atWords = sleepsAtWords > 0 && keys.count() > 0 && waiting != null;
            if (atWords && wakeups.hasChanged()) { // the kernel's selection has to know of it before another thread watches it
                int n = askKernel(action, 0);
                if (n > 0) {
                    learn(false, 0);
                    wakeups.takeAll();
                    return n + reportFound(action);
                }
                // An event that has come just now, or is one of a selected key, ends the sleep in the kernel, as in the JDK.
                atWords = eventWasNone || !waiting.kernelHasEvent();
            }
            atWords = atWords && waiting.canSleep(); // after the kernel was asked: a watch that has ended meanwhile is a change
            long most = arm(atWords);
            if (most == 0) {
                continue;
            }
            long began = System.nanoTime();
            long rest = deadline == 0 ? Long.MAX_VALUE : Math.max(deadline - began, 0);
            if (atWords && waiting.words() > 0) {
                sleepAtWords(Math.min(most, rest));
                wakeups.takeQueued(keys);
                found = look();
                learn(found, System.nanoTime() - began);
                if (found || deadline != 0 && System.nanoTime() - deadline >= 0) {
                    return report(action, found, !found || isKernelDue());
                }
                continue;
            }
            boolean wasLeft = eventIsLeft;
            int n = sleepInKernel(action, Math.min(most, rest));
            if (n == AWAKE) {
                continue;
            }
            long now = System.nanoTime();
            int told = wakeups.takeAll();
            boolean wasTold = wasLeft || (told & JfsWakeups.TOLD) != 0;
            boolean wasWoken = (told & JfsWakeups.WOKEN) != 0;
            eventIsLeft = (wasTold || wasWoken) && UNSAFE.getBooleanVolatile(this, EVENT_IS_SET);
            if (eventIsLeft && n == 0) {
                n = super.doSelect(action, 0); // takes the event, which would end the next sleep; no key is reported twice
                eventIsLeft = false;
            }
            wakeups.takeQueued(keys);
            found = look();
            n += reportFound(action);
            learn(found, now - began);
            boolean wasLimited = most < rest && now - began >= most;
            if (n > 0 || found || wasWoken || deadline != 0 && now - deadline >= 0 || !wasTold && !eventWasNone && !wasLimited) {
                return n;
            }
        }
    }

    /** A sleep is over. @param found whether a path had news */
    private void learn(boolean found, long nanos) {
        keys.slept(found);
        if (found) {
            sleepsAtWords = SLEEPS_IN_VAIN_MAX;
            if (waiting != null) {
                waiting.slept(nanos);
            }
        } else if (sleepsAtWords > 0) {
            sleepsAtWords--;
        }
    }

    /** Looks at all active keys. @return whether one of them is ready */
    @DontInline
    private boolean look() {
        boolean found = false;
        for (int i = keys.count() - 1; i >= 0; i--) {
            JfsRegistration it = keys.get(i);
            JfsEnd end = it.end();
            if (!it.key.isValid()) {
                keys.remove(i);
                continue;
            }
            if (end == null || !end.hasPath()) {
                keys.removeIfUnchanged(i);
                continue;
            }
            int wanted = it.watched;
            it.events = wanted == 0 ? 0 : it.asksTcp(KERNEL_SELECTIONS) ? end.ready(0, wanted) : end.look(wanted);
            if (!it.key.channel().isOpen()) { // what the look has found may be the close by this process, which is no event
                keys.remove(i);
                continue;
            }
            if (end.interest(it.wanted()) != it.key.registeredEvents()) {
                super.setEventOps(it.key);
                wakeups.change();
            }
            if (it.events != 0) {
                it.looksInVain = 0;
                found = true;
            } else if (wanted == 0) {
                keys.removeIfUnchanged(i);
            } else if (++it.looksInVain > LOOKS_IN_VAIN_MAX) {
                keys.armed(i, arm(it, false), System.nanoTime());
            }
        }
        return found;
    }

    private boolean isKernelDue() {
        return wakeups.hasChanged() || ++sinceKernel >= KERNEL_SELECTIONS || System.nanoTime() - kernelAskedAt >= KERNEL_NANOS;
    }

    /** Reports the keys that the last look has found, and those that the kernel has. */
    private int report(Consumer<SelectionKey> action, boolean found, boolean asksKernel) throws IOException {
        if (found) {
            sleepsAtWords = SLEEPS_IN_VAIN_MAX;
        }
        keys.reported(found);
        if (!asksKernel) {
            processDeregisterQueue();
            int n = reportFound(action);
            if (n > 0) { // otherwise all that were found are selected already, and the kernel may have others
                return n;
            }
        }
        wakeups.takeAll();
        return askKernel(action, 0) + reportFound(action); // takes the wakeup event, which was set under the lock
    }

    @DontInline
    private int reportFound(Consumer<SelectionKey> action) {
        int n = 0;
        for (int i = 0; i < keys.count(); i++) {
            JfsRegistration it = keys.get(i);
            if (it.events != 0 && !it.isReported() && it.key.isValid()) {
                n += processReadyEvents(it.events | JfsChannel.LOOKED, it.key, action);
            }
        }
        if (n > 0 && waiting != null) {
            waiting.found();
        }
        return n;
    }

    @DontInline
    private int askKernel(Consumer<SelectionKey> action, long millis) throws IOException {
        wakeups.takeChange();
        eventWasNone = false;
        int n = super.doSelect(action, millis);
        eventIsLeft &= UNSAFE.getBooleanVolatile(this, EVENT_IS_SET);
        sinceKernel = 0;
        kernelAskedAt = System.nanoTime();
        return n;
    }

    @DontInline
    private boolean poll() {
        if (!hasWaiting) {
            waiting = JfsFactory.newWaiting(UNSAFE.getInt(this, EPOLL), this);
            hasWaiting = true;
        }
        return keys.polled = waiting != null && !Thread.currentThread().isInterrupted() && waiting.poll(this);
    }

    /** Whether a poll is over. */
    @Override
    public boolean getAsBoolean() {
        return wakeups.hasQueued() || wakeups.isWoken() || Thread.currentThread().isInterrupted() || keys.someHaveEvents();
    }

    /**
     * Arms all active keys.
     *
     * @param atWords whether the thread is to be woken at words. These keys stay active: what their peers wake is the thread only
     * @return as {@link JfsEnd#arm}
     */
    @DontInline
    private long arm(boolean atWords) {
        if (atWords) {
            waiting.prepare();
        }
        long now = System.nanoTime();
        long most = Long.MAX_VALUE;
        for (int i = keys.count() - 1; i >= 0; i--) {
            int words = atWords ? waiting.words() : 0;
            long nanos = arm(keys.get(i), atWords);
            most = Math.min(most, atWords && waiting.words() > words ? nanos : keys.armed(i, nanos, now));
        }
        return Math.min(most, keys.nanosUntilAllAreDue(now));
    }

    @DontInline
    private long arm(JfsRegistration it, boolean atWords) {
        JfsEnd end = it.end();
        long nanos = end == null ? Long.MAX_VALUE : atWords && it.isAlone() ? waiting.arm(end, it.watched) : end.arm(it.watched);
        it.looksAtTcp = nanos == 0;
        return nanos;
    }

    /** Sleeps until a peer, or another thread of this process, wakes this thread, unless there is something to look at (NIO-4). */
    @DontInline
    private void sleepAtWords(long nanos) {
        begin(true);
        try {
            if (wakeups.beginSleepAtWords(waiting)) {
                waiting.sleep(nanos == Long.MAX_VALUE ? -1 : nanos);
            }
        } finally {
            wakeups.endSleep();
            end(true);
        }
    }

    /**
     * The JDK's own selection, unless there is something to look at.
     *
     * @param nanos at most so long; {@link Long#MAX_VALUE} for ever
     * @return as the JDK's, or {@link #AWAKE}
     */
    @DontInline
    private int sleepInKernel(Consumer<SelectionKey> action, long nanos) throws IOException {
        if (!wakeups.beginSleepInKernel()) {
            return AWAKE;
        }
        try {
            return askKernel(action, nanos > Long.MAX_VALUE - 999_999 ? -1 : TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
        } finally {
            wakeups.endSleep();
        }
    }

    /** As the JDK's own selector writes itself. */
    @Override
    public String toString() {
        return EPollSelectorImpl.class.getName() + '@' + Integer.toHexString(hashCode());
    }
}
