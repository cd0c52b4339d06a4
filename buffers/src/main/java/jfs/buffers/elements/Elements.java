package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import jfs.memory.BlockCopies;
import jfs.memory.ElementType;

/**
 * Copies elements of one primitive type between arrays and a view of memory. The view decides on the byte order. The methods check no
 * bounds of their own: the callers have checked them, so that no call stops in the middle. An array's and a buffer's own checks remain.
 * All threads may use it. No method but {@link #view} allocates memory, apart from one array of 4 KB for each type in each thread that
 * copies blocks in Java.
 *
 * @param <A> the type of the arrays, such as {@code double[]}
 */
public abstract class Elements<A> {

    /** Bytes of blocks that are gathered at once: they stay in a processor's first cache. */
    private static final int STAGING = 4096;
    /** Bytes of the longest blocks that are gathered. */
    private static final int BLOCK = 64;

    /** The fewest blocks for a native call, which takes as long as some copies of single blocks. */
    private static final int LEAST_NATIVE = 12;

    /** Which memory is copied. */
    public enum Memory {
        /** Also a program's, which can be taken away during a copy, as by truncating its file: the JDK's copies throw an exception then. */
        ANY,
        /** That of a path, or of a message. It stays during a copy, so native code may make the copy (BLOCKS-1). */
        STABLE
    }

    /** Of a thread: by types, the array in which it gathers blocks. */
    private static final ThreadLocal<Object[]> STAGINGS = ThreadLocal.withInitial(() -> new Object[ElementType.values().length]);

    private final ElementType type;
    private final Memory memory;

    Elements(ElementType type, Memory memory) {
        this.type = type;
        this.memory = memory;
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

    /** As {@link #put}; the elements {@code from[indexes[first]]} and so on, {@code count} of them. */
    public abstract void putIndexed(A from, int[] indexes, int first, int count, Buffer into, int index);

    /** As {@link #get}; the elements {@code into[indexes[first]]} and so on, {@code count} of them. */
    public abstract void getIndexed(Buffer from, int index, int count, A into, int[] indexes, int first);

    /**
     * Copies {@code count} blocks of an array one behind the other, to the beginning of another one. See {@link #putBlocks}. A loop loads
     * all elements of a block before it stores one, the last one first, because the JIT's code is faster then.
     */
    abstract void gather(A from, int at, int stride, int length, int count, A into);

    /** Copies {@code count} blocks from the beginning of an array, one behind the other, to their places. See {@link #getBlocks}. */
    abstract void scatter(A from, A into, int at, int stride, int length, int count);

    abstract A array(int length);

    /** Whether an element has the same bytes in the view as in an array. */
    abstract boolean isAsInArrays(Buffer view);

    /**
     * Copies {@code count} blocks of {@code length} neighbouring elements into a view, one behind the other. The first block begins at
     * {@code at}, each other one {@code stride} behind the one before, which may be negative or 0.
     *
     * <p>Native code copies the blocks where it may and can. Else short blocks are gathered in an array of the calling thread, and that is
     * copied at once: a copy into a view takes as long as several elements before it begins, and single elements go slowly into memory
     * that another processor has read before, as that of a connection.
     */
    public final void putBlocks(A from, int at, int stride, int length, int count, Buffer into, int index) {
        if (mayBeNative(count, into) && BlockCopies.gather(type, from, at, stride, length, count, into, index)) {
            return;
        }
        if (length > BLOCK / size()) {
            for (int i = 0; i < count; i++) {
                put(from, at + i * stride, length, into, index + i * length);
            }
            return;
        }
        A gathered = staging();
        int most = STAGING / size() / length;
        for (int done = 0; done < count;) {
            int n = Math.min(most, count - done);
            gather(from, at + done * stride, stride, length, n, gathered);
            put(gathered, 0, n * length, into, index + done * length);
            done += n;
        }
    }

    /** As {@link #putBlocks}, out of a view. Blocks that overlap are stored in their order. */
    public final void getBlocks(Buffer from, int index, A into, int at, int stride, int length, int count) {
        if (mayBeNative(count, from) && BlockCopies.scatter(type, from, index, into, at, stride, length, count)) {
            return;
        }
        if (length > BLOCK / size()) {
            for (int i = 0; i < count; i++) {
                get(from, index + i * length, length, into, at + i * stride);
            }
            return;
        }
        A gathered = staging();
        int most = STAGING / size() / length;
        for (int done = 0; done < count;) {
            int n = Math.min(most, count - done);
            get(from, index + done * length, n * length, gathered, 0);
            scatter(gathered, into, at + done * stride, stride, length, n);
            done += n;
        }
    }

    @SuppressWarnings("unchecked")
    private A staging() {
        Object[] all = STAGINGS.get();
        A own = (A) all[type.ordinal()];
        if (own == null) {
            own = array(STAGING / size());
            all[type.ordinal()] = own;
        }
        return own;
    }

    private boolean mayBeNative(int count, Buffer view) {
        return memory == Memory.STABLE && count >= LEAST_NATIVE && isAsInArrays(view);
    }

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
