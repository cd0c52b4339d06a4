package java.nio.channels.spi;

import java.util.function.BooleanSupplier;

/**
 * How one selector waits for connections with a path: it polls memory, then sleeps at the words of these connections, where their peers
 * wake it. The selecting thread calls the methods, except those for which another thread is named.
 */
public interface JfsWaiting {

    /**
     * Polls, if that is likely to pay, for some tens of microseconds at most.
     *
     * @param news whether the wait is over
     * @return whether it is
     */
    boolean poll(BooleanSupplier news);

    /** Learns from a sleep that ended with news of a path. */
    void slept(long nanos);

    /** A selection reports news of a path, however the selector has waited for it. */
    void found();

    /** Whether the calling thread can sleep at words here. If not, the selector sleeps in the kernel's selection. */
    boolean canSleep();

    /** Begins to collect words, and has the kernel's selection watched: {@code kernelNews} is run once there is an event. */
    void prepare();

    /** Arms an end ({@link JfsEnd#arm}), and adds its words if there is room for them. */
    long arm(JfsEnd end, int wanted);

    /** How many words were added since {@link #prepare}. */
    int words();

    /** Whether the kernel's selection has an event now. Makes a system call. */
    boolean kernelHasEvent();

    /** The thread is about to sleep. From now on {@link #wake} wakes it. Called before the last look at what other threads change. */
    void announce();

    /** Sleeps at the words, unless one of them has changed. @param nanos at most so long; negative for ever */
    void sleep(long nanos);

    /** Wakes the selecting thread, or keeps it from sleeping. Called by any thread; does not block. */
    void wake();

    /** The selector is closed. Called by any thread. */
    void close();
}
