package sun.nio.ch;

import java.nio.channels.spi.JfsEnd;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The keys of a {@link JfsSelector} whose channels have an end, or may get one. Some of them are active (NIO-1): the selector looks at
 * these. Any thread may register and deregister a key. The selecting thread calls the other methods.
 */
final class JfsKeys {

    /** A key that has to be looked at again after so many nanoseconds is not active meanwhile. */
    private static final long LATER_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How many keys {@link #someHaveEvents} looks at. */
    private static final int LOOKED_AT_ONCE = 8;

    /** The selector has polled, and the poll has ended by news or by a wakeup. */
    boolean polled;

    private final Map<SelectionKeyImpl, JfsRegistration> registrations = new ConcurrentHashMap<>();

    private JfsRegistration[] all = new JfsRegistration[16];
    private int count;
    private int lookedAt;
    /** When all keys become active: some have to be looked at then, although they are not told of anything. 0 for never. */
    private long allDueAt;

    /** @return null if the key's channel will never have an end */
    final JfsRegistration register(JfsSelector selector, SelectionKeyImpl key) {
        if (!(key.channel() instanceof JfsChannel channel) || !channel.mayHaveEnd()) {
            return null;
        }
        JfsRegistration made = new JfsRegistration(selector, key);
        registrations.put(key, made);
        channel.add(made);
        return made;
    }

    final void deregister(SelectionKeyImpl key) {
        JfsRegistration it = registrations.remove(key);
        if (it != null) {
            ((JfsChannel) key.channel()).remove(it);
        }
    }

    final void deregisterAll() {
        for (SelectionKeyImpl key : registrations.keySet()) {
            deregister(key);
        }
    }

    /** @return null if JFS has nothing to do with the key */
    final JfsRegistration registration(SelectionKeyImpl key) {
        return registrations.get(key);
    }

    final int count() {
        return count;
    }

    final JfsRegistration get(int index) {
        return all[index];
    }

    /** Looks at some active keys, the next ones each time. @return whether one of them has an event that its path tells */
    final boolean someHaveEvents() {
        for (int i = Math.min(count, LOOKED_AT_ONCE); i > 0; i--) {
            lookedAt = lookedAt + 1 < count ? lookedAt + 1 : 0;
            JfsEnd end = all[lookedAt].end();
            if (end != null && end.look(all[lookedAt].watched) != 0) {
                return true;
            }
        }
        return false;
    }

    /** A sleep is over. @param found whether the look after it has found news, which is counted at each connection that has some */
    final void slept(boolean found) {
        polled = false;
        if (found) {
            countWaits(false);
        }
    }

    /** The selection is about to report. @param found whether its last look has found news: if it has polled before, that was a wait too */
    final void reported(boolean found) {
        if (polled && found) {
            countWaits(true);
        }
        polled = false;
    }

    private void countWaits(boolean byPoll) {
        for (int i = 0; i < count; i++) {
            JfsEnd end = all[i].events == 0 ? null : all[i].end();
            if (end != null) {
                end.waited(all[i].events, byPoll);
            }
        }
    }

    final void add(JfsRegistration it) {
        it.looksInVain = 0;
        if (!it.isActive) {
            if (count == all.length) {
                all = Arrays.copyOf(all, 2 * count);
            }
            it.isActive = true;
            all[count++] = it;
        }
    }

    /** The key is not looked at any more, until it has news. The last one takes its place in the list. */
    final void remove(int index) {
        all[index].isActive = false;
        all[index].events = 0;
        all[index] = all[--count];
        all[count] = null;
    }

    /** A key whose interest set differs from what is watched stays, for the next selection. */
    final void removeIfUnchanged(int index) {
        if (all[index].watched == all[index].wanted()) {
            remove(index);
        }
    }

    /**
     * The key was armed, and is told of news. It is not active until then, or until it has to be looked at again.
     *
     * @param nanos of {@code JfsEnd.arm}; with 0 the key stays active
     * @param now as {@link System#nanoTime}
     * @return as {@code nanos}; {@link Long#MAX_VALUE} if the key is not active any more, or need not be
     */
    final long armed(int index, long nanos, long now) {
        if (nanos < LATER_NANOS) {
            return nanos;
        }
        if (nanos < Long.MAX_VALUE && (allDueAt == 0 || now + nanos - allDueAt < 0)) {
            allDueAt = now + nanos | 1; // never 0
        }
        removeIfUnchanged(index);
        return Long.MAX_VALUE;
    }

    /** @return the nanoseconds until all keys become active; {@link Long#MAX_VALUE} for never */
    final long nanosUntilAllAreDue(long now) {
        return allDueAt == 0 ? Long.MAX_VALUE : Math.max(allDueAt - now, 1);
    }

    /** Makes all keys active if that is due. */
    final void activateIfDue() {
        if (allDueAt != 0 && System.nanoTime() - allDueAt >= 0) {
            allDueAt = 0;
            for (JfsRegistration each : registrations.values()) {
                add(each);
            }
        }
    }

    /** What the program has changed takes effect now, and in the next selection only if it is changed later. */
    final void takeInterest() {
        for (int i = 0; i < count; i++) {
            all[i].watched = all[i].wanted();
        }
    }
}
