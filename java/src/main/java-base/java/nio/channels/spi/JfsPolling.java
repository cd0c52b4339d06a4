package java.nio.channels.spi;

import java.util.function.BooleanSupplier;

/** How a selector polls memory before it sleeps. One thread at a time uses it. */
public interface JfsPolling {

    /**
     * Polls, if that is likely to pay, for some tens of microseconds at most.
     *
     * @param news whether the wait is over
     * @return whether it is
     */
    boolean poll(BooleanSupplier news);

    /** Learns from a sleep that ended with news. */
    void slept(long nanos);
}
