package jfs.transport.mx;

import java.io.IOException;
import jfs.mx.Leadership;
import jfs.mx.MxEndpoint;
import jfs.nativelib.Posix;
import jfs.spi.Preferences;
import jfs.spi.TcpDescriptor;
import jfs.spi.WaitCounters;
import jfs.wait.Polling;
import jfs.wait.Sleepers;

/**
 * How one direction of an {@link MxPath} waits. Its thread polls the endpoint, then sleeps ({@link Sleepers}). An event loop, which must
 * not sleep, arms a callback in place of a thread. The path says what the direction waits for ({@link EndpointSleeper}), and what the end
 * of a wait means. Used under the lock of the direction; only {@link #disarm} and {@link #prefer} are for any thread.
 */
final class DirectionWaits {

    private final int role;
    private final boolean isReader;
    /** Those that matter beside errors and hang-up. A peer's half-close is no news to a writer (END-3). */
    private final int tcpEvents;
    private final Leadership leadership;
    private final Sleepers sleepers;
    private final Sleepers.Sleeper sleeper;
    private final int usualMicros;
    private final Polling polling;
    private WaitCounters counters = WaitCounters.NONE;
    /** The callback that was armed last, ended or not; null before. Written under the lock of the direction. */
    private volatile ArmedCallback armed;

    /** @param role as {@link Sleepers} has it */
    DirectionWaits(int role, MxEndpoint endpoint, Sleepers sleepers, Sleepers.Sleeper sleeper, int pollMicros) {
        this.role = role;
        this.isReader = role == Sleepers.READER;
        this.tcpEvents = isReader ? Posix.POLLIN : 0;
        this.leadership = endpoint.leadership();
        this.sleepers = sleepers;
        this.sleeper = sleeper;
        this.usualMicros = pollMicros;
        this.polling = Polling.ofMessages(pollMicros);
    }

    void countIn(WaitCounters counters) {
        this.counters = counters;
    }

    /** Any thread, at any time. Holds from one of the next waits on. */
    void prefer(Preferences preferences) {
        polling.micros(preferences.pollMicros(usualMicros, 0));
    }

    /** A thread waits instead of the callback, if one is armed. */
    void takeOver() {
        ArmedCallback it = armed;
        if (it != null) {
            sleeper.retract();
            it.run();
        }
    }

    /** @return whether there was news before it was time to sleep */
    boolean poll() throws IOException {
        boolean found = polling.poll(sleeper);
        if (found) {
            counters.waited(isReader, true);
        }
        return found;
    }

    /** Sleeps, after a poll in vain. @return as {@link #sleep} */
    int sleepAfterPoll(TcpDescriptor tcp, long deadline) throws IOException {
        int events = sleep(tcp, deadline);
        counters.waited(isReader, false);
        return events;
    }

    /** How long the sleep after a poll was: the next poll lasts accordingly. */
    void slept(long nanos) {
        polling.slept(nanos);
    }

    /** @return the events on TCP, 0 for anything else */
    int sleep(TcpDescriptor tcp, long deadline) throws IOException {
        counters.sleeps(isReader);
        leadership.beginSleep();
        try {
            return sleepers.sleep(role, sleeper, tcp, tcpEvents, deadline);
        } finally {
            leadership.endSleep();
        }
    }

    /** Arms a callback, after {@link #disarm}. @return after how many nanoseconds to look again, at most as many as given; 0: now */
    long arm(TcpDescriptor tcp, Runnable callback, long nanos) throws IOException {
        ArmedCallback it = new ArmedCallback(leadership, callback);
        armed = it;
        long least = Math.min(nanos, sleepers.arm(role, sleeper, tcp, tcpEvents, it, null));
        if (least == 0) {
            disarm();
        }
        return least;
    }

    void disarm() {
        sleepers.disarm(role);
        ArmedCallback it = armed;
        if (it != null) {
            it.end();
        }
    }
}
