package jfs.mx;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import jfs.nativelib.Mx;
import jfs.nativelib.Posix;
import jfs.spi.NoResourcesException;
import jfs.wait.Pause;

/**
 * Decides which thread waits at an endpoint's descriptor, by the pattern of leader and followers (LEADER-5). The <em>leader</em>
 * is woken by each message that comes, and looks for all connections. A reader that sleeps alone leads, so that its own message
 * wakes it and no other thread first. Otherwise the endpoint's own thread leads. All other sleepers <em>follow</em>: the thread
 * that finds a message for a follower rings its bell.
 *
 * <p>LEADER-1. The endpoint's thread dozes and does not look while other threads look, or did so a moment ago, and no thread
 * follows. If it armed the descriptor then, each message of a conversation that needs no wake-up would wake it. Each of its looks
 * would take the lock and a core from the threads that look. A thread that is going to follow wakes the endpoint's thread first
 * ({@link #follow}).
 * <br>LEADER-2. One thread at a time has the place at the descriptor, from before it arms until it leaves. Once the endpoint's
 * thread has armed, it gives way to a reader. A thread that was told by the library that something has happened looks before it
 * leaves, because the library says so once. A reader's wait takes its arming back when it ends, and so before the reader leaves.
 * What the reader finds later then makes the descriptor ring for no thread, and the next thread's arming is left alone.
 * <br>LEADER-3. A reader gives the place back, then checks which thread relies on a leader: another sleeper, or the endpoint's
 * thread, if that sleeps without a time limit. If there is one, the reader nudges the endpoint's thread. A follower counts
 * itself, then looks for a leader. So one of the two sees the other.
 * <br>LEADER-4. While a reader leads, the endpoint's thread waits only for its nudge, with the time-outs of its own work. Before
 * it sleeps there without a time limit it announces that, and checks again whether a reader leads.
 *
 * <p>In {@code model/endpoint.pml} the model checker Spin searches for a thread that is never woken.
 */
public final class Leadership {

    /** How often a reader has led. */
    public static final LongAdder LED = new LongAdder();

    /**
     * A message that no thread waits for may lie for twice this time: another thread's last look may have been at the beginning
     * of a doze.
     */
    private static final int DOZE_MILLIS = 1;
    /** The same while a reader leads, which finds such messages as long as it leads. */
    private static final int LED_DOZE_MILLIS = 10;
    /** After so many dozes without another thread's look, a reader is taken to lead for long. */
    private static final int QUIET_DOZES = 20;
    /**
     * Longest wait inside the library, where it has no descriptor. Without a limit the thread of an idle process would not notice
     * that the JVM ends.
     */
    private static final int WAIT_MILLIS = 1_000;
    private static final long UNTIL_LEADER_LEAVES_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    // Which thread has the place at the descriptor.
    private static final int NOBODY = 0;
    private static final int THREAD_ARMING = 1;
    private static final int THREAD = 2;
    private static final int READER = 3;

    // How the endpoint's thread sleeps.
    private static final int AWAKE = 0;
    private static final int DOZING = 1;
    /** It sleeps without a time limit, or with a long one. */
    private static final int RESTING = 2;

    private final MxEndpoint endpoint;
    private final long handle;
    private final int descriptor;
    /** Wakes the endpoint's thread from each sleep but {@link Mx#await}, which {@link Mx#wakeUp} ends. */
    private final EventBell nudge;
    private final AtomicInteger place = new AtomicInteger(NOBODY);
    private final AtomicInteger asleep = new AtomicInteger();
    private volatile int sleeping = AWAKE;
    /** Another thread has looked since the endpoint's thread last called {@link #othersLook}. */
    private volatile boolean looked;
    private volatile boolean ending;
    /** Turns of the endpoint's thread since another thread has looked. Used by the endpoint's thread only. */
    private int quiet;

    /** @param descriptor of the endpoint, or -1: then no thread leads */
    Leadership(MxEndpoint endpoint, long handle, int descriptor) throws NoResourcesException {
        this.endpoint = endpoint;
        this.handle = handle;
        this.descriptor = descriptor;
        this.nudge = new EventBell();
    }

    // Called by threads that sleep.

    /** The caller will sleep: it has to {@link #lead} or to {@link #follow} before it does. */
    public void beginSleep() {
        asleep.incrementAndGet();
    }

    public void endSleep() {
        asleep.decrementAndGet();
    }

    /**
     * The caller will sleep until another thread rings its bell, so some thread has to be there for what comes. To be called
     * after the caller has announced that it sleeps.
     */
    public void follow() {
        if (place.get() != READER && sleeping == DOZING) {
            nudge.ringOurselves();
        }
    }

    /**
     * Makes the caller, a reader that sleeps, the leader until {@link #leave}. A leader {@linkplain #await waits}.
     *
     * @return false if the caller can't lead now
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
            nudge.ringOurselves(); // so that the message does not wake the endpoint's thread
        }
        return instead;
    }

    /**
     * Called by a reader that leads. Waits until something has happened at the library, the bell or TCP.
     *
     * @return as {@link Posix#poll}; {@link Mx#LOOK_FIRST}: it has not waited, and the caller looks first, even if it is going to
     *         leave (LEADER-2)
     */
    public int await(int bell, int tcp, int tcpEvents, int millis) {
        return Mx.sleep(handle, bell, Posix.POLLIN, tcp, tcpEvents, millis);
    }

    /** Called by a reader that leads, before {@link #endSleep}. */
    public void leave() {
        place.set(NOBODY);
        int thread = sleeping;
        if (thread == RESTING || thread == DOZING && asleep.get() > 1) {
            nudge.ringOurselves();
        }
    }

    // Called by the thread that looks.

    void noteLook() {
        if (!looked) {
            looked = true;
        }
    }

    // Called by the endpoint's thread.

    /** Whether other threads look, so that the endpoint's thread need not. Called once in each of its turns. */
    boolean othersLook() {
        boolean justNow = looked;
        looked = false;
        quiet = justNow ? 0 : Math.min(quiet + 1, QUIET_DOZES);
        return place.get() == READER || justNow && asleep.get() == 0;
    }

    /**
     * Sleeps until there is something for the endpoint's thread to do.
     *
     * @param othersLook the result of {@link #othersLook}
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
            awaitNudge(DOZE_MILLIS); // there is nothing to wait at, so the thread looks at intervals
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
            return; // a reader has the place
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
            if (!place.compareAndSet(THREAD, NOBODY)) { // not armed, or a reader has the place
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

    // Called by any thread.

    /** Whether a reader leads. */
    public boolean isLed() {
        return place.get() == READER;
    }

    /** Whether the endpoint's thread sleeps without a time limit of its own. */
    public boolean threadRests() {
        return sleeping == RESTING;
    }

    /** Makes the endpoint's thread take its next turn soon. */
    void nudge() {
        nudge.ringOurselves();
        if (descriptor < 0) {
            Mx.wakeUp(handle);
        }
    }

    /** From now on no reader leads. */
    void end() {
        ending = true;
    }

    /** Called when the endpoint's thread has ended and all sleepers have been told. Waits until no thread is at the descriptor. */
    void free() {
        while (place.get() == READER) {
            Pause.park(UNTIL_LEADER_LEAVES_NANOS);
        }
        nudge.run();
    }
}
