package sun.nio.ch;

import java.nio.channels.spi.JfsWaiting;

/**
 * What other threads tell a {@link JfsSelector}, and where the selecting thread sleeps meanwhile. The other threads tell it, and the
 * selecting thread begins to sleep, under one lock, which is this object. So nothing is missed (NIO-4). The holder of the lock takes no
 * other lock, except those of the JDK's wakeup.
 */
final class JfsWakeups {

    /** {@link #takeAll}: the selector was told of something while it slept. */
    static final int TOLD = 1;
    /** {@link #takeAll}: the program has called wakeup. */
    static final int WOKEN = 2;

    private final JfsSelector selector;

    // Written under the lock.
    private volatile JfsRegistration queue;
    /** The program has called wakeup, and no selection has returned for that yet. */
    private volatile boolean woken;
    /** The selector was told of something while it slept. */
    private boolean told;
    /** Where the selecting thread sleeps, or is about to. */
    private boolean asleepInKernel;
    private JfsWaiting asleepAtWords;

    /** An interest set was changed, or a key registered: the JDK's part of the next selection takes it to the kernel. */
    private volatile boolean changed = true;

    JfsWakeups(JfsSelector selector) {
        this.selector = selector;
    }

    // Any thread.

    /** The selector looks at this registration at its next selection. @param wakes whether it does so now if it sleeps */
    final synchronized void enqueue(JfsRegistration registration, boolean wakes) {
        if (!registration.isQueued) {
            registration.isQueued = true;
            registration.next = queue;
            queue = registration;
        }
        if (wakes && !told) {
            tell();
        }
    }

    /** What the kernel has to be told has changed. */
    final void change() {
        changed = true;
    }

    /** The kernel has an event for the selector. */
    final void kernelHasEvent() {
        changed = true;
        synchronized (this) {
            if (asleepAtWords != null && !told) {
                tell();
            }
        }
    }

    private void tell() {
        told = asleepInKernel || asleepAtWords != null;
        wake();
    }

    /** Called by the program, and by the JDK when a selecting thread is interrupted or the selector closed. */
    final synchronized void wakeup() {
        if (!woken) {
            woken = true;
            wake();
        }
    }

    /** Called under the lock. */
    private void wake() {
        if (asleepInKernel) {
            selector.wakeInKernel();
        } else if (asleepAtWords != null) {
            asleepAtWords.wake();
        }
    }

    // The selecting thread.

    final boolean hasQueued() {
        return queue != null;
    }

    final boolean isWoken() {
        return woken;
    }

    final boolean hasChanged() {
        return changed;
    }

    /** The kernel is about to be told. */
    final void takeChange() {
        changed = false;
    }

    /** Makes the keys active that were told of. */
    final void takeQueued(JfsKeys keys) {
        if (queue == null) {
            return;
        }
        synchronized (this) {
            JfsRegistration first = queue;
            queue = null;
            for (JfsRegistration each = first; each != null; each = each.next) {
                each.isQueued = false;
                keys.add(each);
            }
        }
    }

    /** A selection takes note of a wakeup, and of what it was told. @return {@link #TOLD}, {@link #WOKEN}, both or 0 */
    final synchronized int takeAll() {
        int all = (told ? TOLD : 0) | (woken ? WOKEN : 0);
        woken = false;
        told = false;
        return all;
    }

    /** @return whether the selecting thread may sleep at words now. If not, there is something to look at */
    final synchronized boolean beginSleepAtWords(JfsWaiting waiting) {
        if (queue != null || woken || changed) {
            return false;
        }
        told = false;
        asleepAtWords = waiting;
        waiting.announce();
        return true;
    }

    /** @return whether the selecting thread may sleep in the kernel's selection now. If not, there is something to look at */
    final synchronized boolean beginSleepInKernel() {
        if (queue != null || woken) {
            return false;
        }
        told = false;
        asleepInKernel = true;
        return true;
    }

    final synchronized void endSleep() {
        asleepAtWords = null;
        asleepInKernel = false;
    }
}
