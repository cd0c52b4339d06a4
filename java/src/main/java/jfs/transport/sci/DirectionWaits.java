package jfs.transport.sci;

import java.io.IOException;
import jfs.nativelib.Posix;
import jfs.ring.RingReceiver;
import jfs.spi.FutexWords;
import jfs.spi.Preferences;
import jfs.spi.TcpDescriptor;
import jfs.spi.WaitCounters;
import jfs.threads.VirtualThreads;
import jfs.wait.Naps;
import jfs.wait.Polling;
import jfs.wait.Sleepers;

/**
 * How one direction of a {@link SciPath} waits. Its thread polls, then sleeps ({@link Sleepers}). An event loop, which must not sleep, arms
 * a callback in place of a thread. Used under the lock of the direction; only {@link #disarm} and {@link #prefer} are for any thread.
 */
final class DirectionWaits {

    /** How long a poll may take that costs less than a sleep and a wake-up, microseconds: these two take more processor time than that. */
    private static final int CHEAP_POLL = 3;

    private final int role;
    private final boolean isReader;
    /** Those that matter beside errors and hang-up. A peer's half-close is no news to a writer (END-3). */
    private final int tcpEvents;
    private final SciResources resources;
    private final Sleepers sleepers;
    private final Sleepers.Sleeper sleeper;
    private final int usualMicros;
    private final Polling polling;
    /** Null unless the program prefers that a reader lets news gather. */
    private Naps naps;
    private WaitCounters counters = WaitCounters.NONE;

    /**
     * @param role as {@link Sleepers} has it
     * @param sleepers of the path: the ones that are told of rings, of events on TCP and of its close
     */
    DirectionWaits(int role, SciResources resources, Sleepers sleepers, Sleepers.Sleeper sleeper, int pollMicros) {
        this.role = role;
        this.isReader = role == Sleepers.READER;
        this.tcpEvents = isReader ? Posix.POLLIN : 0;
        this.resources = resources;
        this.sleepers = sleepers;
        this.sleeper = sleeper;
        this.usualMicros = pollMicros;
        this.polling = Polling.ofMemory(pollMicros);
    }

    void countIn(WaitCounters counters) {
        this.counters = counters;
    }

    /** Any thread, at any time. Holds from one of the next waits on. */
    void prefer(Preferences preferences) {
        polling.micros(preferences.pollMicros(usualMicros, CHEAP_POLL));
        naps = isReader && preferences.savesCpu() ? new Naps() : null;
    }

    /** How often a reader looks for bytes before it {@linkplain #poll polls}, as {@link Polling#firstLooks}. */
    int firstLooks() {
        return polling.firstLooks();
    }

    /** The first looks have found the news. */
    void foundAtFirst() {
        polling.foundAtFirst();
        counters.waited(isReader, true);
    }

    /** @return whether there was news before it was time to sleep */
    boolean poll() throws IOException {
        return polled(polling.poll(sleeper));
    }

    /** As {@link #poll}, without asking whether that is likely to pay. */
    boolean pollInAnyCase() throws IOException {
        return polled(polling.pollInAnyCase(sleeper));
    }

    private boolean polled(boolean found) {
        if (found) {
            counters.waited(isReader, true);
        }
        return found;
    }

    /** Lets news gather, if the program prefers that and it pays. @return whether there is news now; else it is time to sleep */
    boolean nap(RingReceiver receiver) throws IOException {
        Naps it = naps;
        if (it == null || VirtualThreads.isCurrent() || !it.pay()) {
            return false;
        }
        counters.sleeps(isReader);
        it.nap();
        it.ended(receiver.hasSeveral());
        counters.waited(isReader, false);
        return sleeper.arrived();
    }

    /** Sleeps, after a poll in vain. @return the events on TCP, 0 for anything else */
    int sleepAfterPoll(TcpDescriptor tcp, long deadline) throws IOException {
        long start = System.nanoTime();
        int events = sleep(tcp, deadline);
        polling.slept(System.nanoTime() - start);
        counters.waited(isReader, false);
        return events;
    }

    /** @return the events on TCP, 0 for anything else */
    int sleep(TcpDescriptor tcp, long deadline) throws IOException {
        counters.sleeps(isReader);
        return sleepers.sleep(role, sleeper, tcp, tcpEvents, resources.bounded(deadline));
    }

    /** As {@link Sleepers#arm}. The caller has to look earlier where rings may get lost. */
    long arm(TcpDescriptor tcp, Runnable callback, FutexWords words) throws IOException {
        return resources.boundedNanos(sleepers.arm(role, sleeper, tcp, tcpEvents, callback, words));
    }

    void retract() {
        sleeper.retract();
    }

    void disarm() {
        sleepers.disarm(role);
    }
}
