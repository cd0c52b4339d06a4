package jfs.memory;

import java.nio.Buffer;

/**
 * Elements that do not lie in one piece of an array, such as those of a layout of {@code jfs.buffers}: a fixed number of them, in an order.
 * A typed stream copies them from the first to the last, in as many calls as it has pieces of memory. Each element is copied once. One
 * thread uses a sequence, for one direction.
 */
public abstract class ElementSequence {

    /**
     * Copies the next elements into memory. Keeps no buffer (CLAIM-1).
     *
     * @param view as of {@link ElementViews#view}
     * @param at the index in the view of the first one
     */
    public abstract void put(Buffer view, int at, int count);

    /** Copies the next elements out of memory, as {@link #put}. */
    public abstract void get(Buffer view, int at, int count);
}
