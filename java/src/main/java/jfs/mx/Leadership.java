package jfs.mx;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import jfs.nativelib.Mx;
import jfs.nativelib.Posix;
import jfs.spi.NoResourcesException;
import jfs.wait.Pause;

/**
 * Who waits at an endpoint's descriptor, by the pattern of leader and followers (LEADER-5). The <em>leader</em> is woken by each message
 * that comes, and looks for all. That is a reader that sleeps alone, so what it waits for wakes no other thread first; else the
 * endpoint's own thread. All other sleepers <em>follow</em>: whoever finds a message for one rings its bell.
 *
 * <p>LEADER-1. While others look, or did a moment ago, and nobody follows, the thread dozes, and doesn't look: armed, it would be woken
 * by each message of a conversation that needs no waking, and each look takes the lock and a core from those who look. Who is going to
 * follow wakes it first ({@link #follow}).
 * <br>LEADER-2. One thread at a time has the place at the descriptor, from before it arms until it leaves. Once it has armed, the
 * endpoint's thread gives way to a reader. Who was told by the library that something has happened looks before it leaves, because the
 * library says so once. A reader's wait takes its arming back when it ends, so before the reader leaves: what its own thread finds then
 * rings for nobody, and the next one's arming is left alone.
 * <br>LEADER-3. A reader gives the place back, then looks who relies on somebody there: another sleeper, or the thread, if that sleeps
 * without an end. Then it nudges the thread. A follower counts itself, then looks for a leader, so one of the two sees the other.
 * <br>LEADER-4. While a reader leads, the thread is at its nudge only, with the time-outs of its own work. Before it sleeps there without
 * an end it says so, and looks again whether a reader leads.
 *
 * <p>model/endpoint.pml has spin look for a thread that sleeps on.
 */
public final class Leadership {

    /** How often a reader has led. */
    public static final LongAdder LED = new LongAdder();

    /** Half as long as messages may lie that nobody waits for: who looked last may have done so when this began. */
    private static final int DOZE_MILLIS = 1;
    /** The same while a reader leads: it finds them for as long as it does. */
    private static final int LED_DOZE_MILLIS = 10;
    /** So many dozes without a look of others' tell that a reader leads for long. */
    private static final int QUIET_DOZES = 20;
    /** Without a descriptor to wait at: MX's own wait has an end, or an idle process would never see the JVM's. */
    private static final int WAIT_MILLIS = 1_000;
    private static final long UNTIL_LEADER_LEAVES_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    // Who has the place.
    private static final int NOBODY = 0;
    private static final int THREAD_ARMING = 1;
    private static final int THREAD = 2;
    private static final int READER = 3;

    // How the thread sleeps.
    private static final int AWAKE = 0;
    private static final int DOZING = 1;
    /** Without an end, or a late one. */
    private static final int RESTING = 2;

    private final MxEndpoint endpoint;
    private final long handle;
    private final int descriptor;
    /** What the thread hears wherever it is. */
    private final EventBell nudge;
    private final AtomicInteger place = new AtomicInteger(NOBODY);
    private final AtomicInteger asleep = new AtomicInteger();
    private volatile int sleeping = AWAKE;
    /** Somebody else has looked since the thread was about to. */
    private volatile boolean looked;
    private volatile boolean ending;
    /** By the thread: how many of its turns ago others looked. */
    private int quiet;

    /** @param descriptor of the endpoint, or -1: then nobody leads */
    Leadership(MxEndpoint endpoint, long handle, int descriptor) throws NoResourcesException {
        this.endpoint = endpoint;
        this.handle = handle;
        this.descriptor = descriptor;
        this.nudge = new EventBell();
    }

    // By who sleeps.

    /** The caller will sleep: it has to {@link #lead} or to {@link #follow} before it does. */
    public void beginSleep() {
        asleep.incrementAndGet();
    }

    public void endSleep() {
        asleep.decrementAndGet();
    }

    /** The caller will wait until it is called: somebody has to be there for what comes. After it has said who is to call it. */
    public void follow() {
        if (place.get() != READER && sleeping == DOZING) {
            nudge.ringOurselves();
        }
    }

    /**
     * The caller, a reader that sleeps, leads from now on, if it can: until {@link #leave}. It {@linkplain #await waits}.
     */
    public boolean lead() {
        if (descriptor < 0 || asleep.get() != 1 || endpoint.isDeaf() || !take()) {
            return false;
        }
        if (ending) {
            leave();
            return false;
        }
        LED.increment();
        return true;
    }

    private boolean take() {
        if (place.compareAndSet(NOBODY, READER)) {
            return true;
        }
        boolean instead = place.compareAndSet(THREAD, READER);
        if (instead) {
            nudge.ringOurselves(); // so that it isn't woken by the message
        }
        return instead;
    }

    /**
     * By a reader that leads: waits until the library has something, or its bell or TCP.
     *
     * @return as {@link Posix#poll}; {@link Mx#LOOK_FIRST}: it has not waited and looks first, even if it is to leave then (LEADER-2)
     */
    public int await(int bell, int tcp, int tcpEvents, int millis) {
        return Mx.sleep(handle, bell, Posix.POLLIN, tcp, tcpEvents, millis);
    }

    /** By a reader that leads, before {@link #endSleep}. */
    public void leave() {
        place.set(NOBODY);
        int thread = sleeping;
        if (thread == RESTING || thread == DOZING && asleep.get() > 1) {
            nudge.ringOurselves();
        }
    }

    // By who looks.

    void noteLook() {
        if (!looked) {
            looked = true;
        }
    }

    // By the endpoint's thread.

    /** Whether others look, so that the thread needn't. Once for each of its turns. */
    boolean othersLook() {
        boolean justNow = looked;
        looked = false;
        quiet = justNow ? 0 : Math.min(quiet + 1, QUIET_DOZES);
        return place.get() == READER || justNow && asleep.get() == 0;
    }

    /**
     * Sleeps until there is something for the thread to do.
     *
     * @param othersLook what {@link #othersLook} has said
     * @param millis the longest sleep; -1: for ever
     */
    void sleep(boolean othersLook, int millis) {
        if (othersLook && quiet == QUIET_DOZES) {
            rest(millis);
        } else if (othersLook) {
            doze(millis);
        } else if (descriptor >= 0 && !endpoint.isDeaf()) {
            waitThere(millis);
        } else if (endpoint.isDeaf() || Mx.await(handle, millis < 0 ? WAIT_MILLIS : millis) != Mx.OK) {
            awaitNudge(DOZE_MILLIS); // there is nothing to wait at: it looks now and then
        }
        sleeping = AWAKE;
    }

    private void rest(int millis) {
        sleeping = RESTING;
        if (place.get() == READER) {
            awaitNudge(millis);
        }
    }

    private void doze(int millis) {
        sleeping = DOZING;
        boolean led = place.get() == READER;
        if (led || asleep.get() == 0) {
            int most = led ? LED_DOZE_MILLIS : DOZE_MILLIS;
            awaitNudge(millis < 0 ? most : Math.min(millis, most));
        }
    }

    private void waitThere(int millis) {
        if (!place.compareAndSet(NOBODY, THREAD_ARMING)) {
            return; // a reader has it
        }
        try {
            sleeping = RESTING;
            if (Mx.arm(handle)) {
                place.set(THREAD);
                acknowledge(Posix.poll(nudge.descriptor(), Posix.POLLIN, descriptor, Posix.POLLIN, millis));
            } else {
                endpoint.lookForAll();
            }
        } finally {
            if (!place.compareAndSet(THREAD, NOBODY)) { // else a reader has taken it
                place.compareAndSet(THREAD_ARMING, NOBODY);
            }
        }
    }

    private void awaitNudge(int millis) {
        acknowledge(Posix.poll(nudge.descriptor(), Posix.POLLIN, -1, 0, millis));
    }

    private void acknowledge(int ready) {
        if (ready > 0 && (ready & 0xffff) != 0) {
            nudge.acknowledge();
        }
    }

    // By anybody.

    /** Whether a reader leads. */
    public boolean isLed() {
        return place.get() == READER;
    }

    /** Whether the endpoint's thread sleeps without an end of its own. */
    public boolean threadRests() {
        return sleeping == RESTING;
    }

    /** The endpoint's thread takes its next turn soon. */
    void nudge() {
        nudge.ringOurselves();
        if (descriptor < 0) {
            Mx.wakeUp(handle);
        }
    }

    /** From now on nobody leads. */
    void end() {
        ending = true;
    }

    /** When the endpoint's thread has ended and all sleepers have been told: nobody is at the descriptor when this returns. */
    void free() {
        while (place.get() == READER) {
            Pause.park(UNTIL_LEADER_LEAVES_NANOS);
        }
        nudge.run();
    }
}
