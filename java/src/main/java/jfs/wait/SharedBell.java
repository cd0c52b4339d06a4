package jfs.wait;

/**
 * A bell that several connections share: one ring may be meant for any of them. So no thread polls it. One thread of the process watches
 * it, and unparks those that a ring is for ({@link WordSleepers#called}).
 */
public interface SharedBell {

    /**
     * From now on the loop watches it. By any thread, idempotent; never blocks.
     *
     * @throws IllegalStateException if the kernel refuses, with errno's text
     */
    void watchedBy(EventLoop loop);
}
