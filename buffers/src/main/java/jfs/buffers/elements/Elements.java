package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import jfs.memory.ElementType;

/**
 * Copies elements of one primitive type between arrays and a view of memory. The view decides on the byte order. The methods check no
 * bounds of their own: the callers have checked them, so that no call stops in the middle. An array's and a buffer's own checks remain.
 * Immutable. No method but {@link #view} allocates memory.
 *
 * @param <A> the type of the arrays, such as {@code double[]}
 */
public abstract class Elements<A> {

    private final ElementType type;

    Elements(ElementType type) {
        this.type = type;
    }

    /** The type of the elements. */
    public final ElementType type() {
        return type;
    }

    /** The bytes of one element. */
    public final int size() {
        return type.bytes();
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

    /**
     * Copies {@code count} blocks of {@code length} neighbouring elements into a view, one behind the other. The first block begins at
     * {@code at}, each other one {@code stride} behind the one before. Blocks of up to four elements are copied element by element:
     * before the JDK's copy of a slice begins, it has taken as long as that.
     */
    public abstract void putBlocks(A from, int at, int stride, int length, int count, Buffer into, int index);

    /** As {@link #putBlocks}, out of a view. */
    public abstract void getBlocks(Buffer from, int index, A into, int at, int stride, int length, int count);

    /**
     * Copies {@code count} runs, from the run {@code first} on, into a view, one behind the other.
     *
     * @param base is added to the offset of each run
     */
    public final void putRuns(A from, int base, Runs runs, int first, int count, Buffer into, int index) {
        if (runs.blockLength() > 0) {
            putBlocks(from, base + runs.offset(first), runs.stride(), runs.blockLength(), count, into, index);
            return;
        }
        int at = index;
        for (int i = first; i < first + count; i++) {
            int length = runs.length(i);
            put(from, base + runs.offset(i), length, into, at);
            at += length;
        }
    }

    /** As {@link #putRuns}, out of a view. */
    public final void getRuns(Buffer from, int index, A into, int base, Runs runs, int first, int count) {
        if (runs.blockLength() > 0) {
            getBlocks(from, index, into, base + runs.offset(first), runs.stride(), runs.blockLength(), count);
            return;
        }
        int at = index;
        for (int i = first; i < first + count; i++) {
            int length = runs.length(i);
            get(from, at, length, into, base + runs.offset(i));
            at += length;
        }
    }
}
