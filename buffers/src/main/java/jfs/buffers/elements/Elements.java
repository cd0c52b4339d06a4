package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * Copies elements of one primitive type between arrays and a view of memory. The view decides on the byte order. The methods check no
 * bounds of their own: the callers have checked them, so that no call stops in the middle. An array's and a buffer's own checks remain.
 * Immutable. No method but {@link #view} allocates memory.
 *
 * @param <A> the type of the arrays, such as {@code double[]}
 */
public abstract class Elements<A> {

    private final int size;

    Elements(int size) {
        this.size = size;
    }

    /** The bytes of one element. */
    public final int size() {
        return size;
    }

    /** The memory from its position to its limit as elements of this type, in its byte order. Allocates one buffer. */
    public abstract Buffer view(ByteBuffer memory);

    /** The number of elements in an array. */
    public abstract int length(A array);

    /** Copies {@code count} elements from {@code from[at]} on into a view, from {@code index} on. */
    public abstract void put(A from, int at, int count, Buffer into, int index);

    /** Copies {@code count} elements of a view, from {@code index} on, into an array, from {@code into[at]} on. */
    public abstract void get(Buffer from, int index, int count, A into, int at);

    /** As {@link #put}; of the array each {@code stride}-th element, which may be negative or 0. */
    public abstract void putStrided(A from, int at, int stride, int count, Buffer into, int index);

    /** As {@link #get}; of the array each {@code stride}-th element, which may be negative or 0. */
    public abstract void getStrided(Buffer from, int index, int count, A into, int at, int stride);

    /** As {@link #put}; the elements {@code from[indexes[first]]} and so on, {@code count} of them. */
    public abstract void putIndexed(A from, int[] indexes, int first, int count, Buffer into, int index);

    /** As {@link #get}; the elements {@code into[indexes[first]]} and so on, {@code count} of them. */
    public abstract void getIndexed(Buffer from, int index, int count, A into, int[] indexes, int first);

    /** Copies the runs one behind the other into a view. {@code base} is added to the offset of each run. */
    public abstract void putRuns(A from, int base, Runs runs, Buffer into, int index);

    /** Copies elements that lie one behind the other in a view into the runs. {@code base} is added to the offset of each run. */
    public abstract void getRuns(Buffer from, int index, A into, int base, Runs runs);
}
