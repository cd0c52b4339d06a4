package jfs.wait;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets news gather, where little processor time matters more than an early answer. A reader that is woken for each small message costs the
 * writer a system call for each, and itself a wake-up. A reader that naps instead takes several messages at once, and nobody has to wake
 * it. Network cards gather their interrupts in the same way (interrupt coalescing).
 *
 * <p>A thread naps only while that pays (NAP-1): the instance counts naps after which several messages were there, and naps after which
 * there was one or none. A conversation, in which the peer sends one message and waits for the answer, therefore soon sleeps until it is
 * woken. Its threads try a nap again now and then.
 *
 * <p>A nap is not announced to the peer, and nothing ends it early: neither news, nor a close, nor the death of the peer. Used by the
 * thread that holds the lock of the direction.
 */
public final class Naps {

    /** The kernel adds its timer slack, 50 microseconds, to a nap. */
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int CONFIDENCE_MAX = 8;
    /** By how much a nap lowers the confidence that has gathered nothing. */
    private static final int FAILURE = 3;
    /** After how many sleeps in a row without a nap a thread tries one again: the fewest, and the most. */
    private static final int TRY_AGAIN = 64;
    private static final int TRY_AGAIN_MAX = 512;

    private int confidence = 1;
    private int sleeps;
    /** Doubles with each nap in vain, so that a long conversation hardly ever naps. */
    private int tryAgain = TRY_AGAIN;

    /** Whether the thread is to {@link #nap} before it sleeps. */
    public boolean pay() {
        if (confidence <= 0 && ++sleeps >= tryAgain) {
            sleeps = 0;
            tryAgain = Math.min(2 * tryAgain, TRY_AGAIN_MAX);
            confidence = 1;
        }
        return confidence > 0;
    }

    /** Naps. {@link #ended} follows. */
    public void nap() {
        LockSupport.parkNanos(this, NAP_NANOS);
    }

    /** @param several whether more than one message is there after the nap */
    public void ended(boolean several) {
        if (several) {
            confidence = Math.min(confidence + 1, CONFIDENCE_MAX);
            tryAgain = TRY_AGAIN;
        } else {
            confidence -= FAILURE;
        }
    }
}
