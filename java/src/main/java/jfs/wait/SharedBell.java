package jfs.wait;

import jfs.threads.EventLoop;

/**
 * A bell that several connections share. One signal may be meant for any of them. For this reason no sleeping thread polls the bell. One
 * thread of the process watches it, and unparks the threads for which a signal is meant ({@link WordSleepers#bellRung}).
 */
public interface SharedBell {

    /**
     * Makes the loop watch the bell from now on. Any thread may call this. Idempotent. Never blocks.
     *
     * @throws IllegalStateException if the kernel refuses, with errno's text
     */
    void watchedBy(EventLoop loop);
}
