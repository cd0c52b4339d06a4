package jfs.buffers;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import jfs.buffers.elements.Checks;
import jfs.buffers.elements.Elements;
import jfs.buffers.elements.Runs;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;

/**
 * A {@link Layout} of elements of one array. Offsets, distances and bounds count elements of the array.
 *
 * @param <A> the type of the array, such as {@code double[]}
 */
public final class ArrayLayout<A> extends Layout {

    private final BasicType<A> type;
    private final Runs runs;

    ArrayLayout(BasicType<A> type, Runs runs, int lower, int upper) {
        super(lower, upper);
        this.type = type;
        this.runs = runs;
    }

    private ArrayLayout<A> copied(Blocks blocks) {
        Bounds bounds = bounds(blocks);
        return new ArrayLayout<>(type, copies(runs, blocks), bounds.lower(), bounds.upper());
    }

    /**
     * Copies of this layout one behind the other.
     *
     * @throws IllegalArgumentException if the count is below 0, or an offset or the number of elements is no {@code int}
     */
    public ArrayLayout<A> contiguous(int count) {
        return copied(contiguousBlocks(count));
    }

    /**
     * Blocks of copies of this layout at equal distances.
     *
     * @param count the number of blocks
     * @param blockLength the copies in each block
     * @param stride the distance from the begin of one block to that of the next one, in extents of this layout; it may be negative
     * @throws IllegalArgumentException if the count or the block length is below 0, or an offset or the number of elements is no
     *             {@code int}
     */
    public ArrayLayout<A> vector(int count, int blockLength, int stride) {
        return copied(vectorBlocks(count, blockLength, stride));
    }

    /**
     * Blocks of copies of this layout at any places.
     *
     * @param blockLengths the copies in each block
     * @param displacements where each block begins, in extents of this layout; they may be negative and in any order
     * @throws IllegalArgumentException if the arrays have different lengths, a block length is below 0, or an offset or the number of
     *             elements is no {@code int}
     */
    public ArrayLayout<A> indexed(int[] blockLengths, int[] displacements) {
        return copied(indexedBlocks(blockLengths, displacements));
    }

    /**
     * The same elements with other bounds: where the next one of several items begins, and what layouts that are made of this one take for
     * its extent.
     *
     * @param lowerBound the new lower bound; no element moves
     * @param extent the new extent, from 0 on; items with a smaller extent than the elements need overlap
     * @throws IllegalArgumentException if the extent is below 0, or the upper bound is no {@code int}
     */
    public ArrayLayout<A> resized(int lowerBound, int extent) {
        return new ArrayLayout<>(type, runs, lowerBound, resizedUpper(lowerBound, extent));
    }

    /** The type of the elements. */
    public BasicType<A> type() {
        return type;
    }

    @Override
    public int size() {
        return runs.units();
    }

    @Override
    public long bytes() {
        return (long) runs.units() * type.bytes();
    }

    Runs runs() {
        return runs;
    }

    /**
     * Packs elements of an array into a buffer, for example memory that a socket sends from: from the buffer's position on, in the buffer's
     * byte order, without any header. The position is then behind the last element. Allocates one small buffer object.
     *
     * @param offset the index in the array at which the first item has its offset 0
     * @param count the number of items
     * @throws IndexOutOfBoundsException if an element is not in the array; nothing is packed then
     * @throws IllegalArgumentException if the count is below 0
     * @throws PackOverflowException if the buffer has less room; nothing is packed then
     * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
     */
    public void pack(A from, int offset, int count, ByteBuffer into) {
        long bytes = (long) checked(from, "from", offset, count) * type.bytes();
        if (bytes > into.remaining()) {
            throw new PackOverflowException("the elements need " + bytes + " bytes; the buffer has room for " + into.remaining());
        }
        Elements<A> elements = type.elements();
        put(elements, from, offset, count, elements.view(into), 0);
        into.position(into.position() + (int) bytes);
    }

    /**
     * Unpacks elements from a buffer into an array: from the buffer's position on, in the buffer's byte order, without any header. The
     * position is then behind the last element. Allocates one small buffer object.
     *
     * @param offset the index in the array at which the first item has its offset 0
     * @param count the number of items
     * @throws IndexOutOfBoundsException if an element is not in the array; nothing is unpacked then
     * @throws IllegalArgumentException if the count is below 0
     * @throws PackUnderflowException if the buffer has fewer bytes; nothing is unpacked then
     */
    public void unpack(ByteBuffer from, A into, int offset, int count) {
        long bytes = (long) checked(into, "into", offset, count) * type.bytes();
        if (bytes > from.remaining()) {
            throw new PackUnderflowException("the elements need " + bytes + " bytes; the buffer has " + from.remaining());
        }
        Elements<A> elements = type.elements();
        get(elements, elements.view(from), 0, into, offset, count);
        from.position(from.position() + (int) bytes);
    }

    /**
     * Writes elements of an array to a typed stream, without any header: straight into the memory of the connection's fast path where it
     * has one, but for short calls ({@link TypedOutput}). What is written is what {@code out.write(elements)} would write, with the elements
     * of the items one behind the other. So the receiver reads it by {@link #read}, by another layout, or into a plain array by
     * {@link TypedInput#readFully(double[])}.
     *
     * <p>Blocks as a write of the stream, and like such a write the call is a whole: on a socket of JFS no other thread's bytes come between
     * its elements.
     *
     * @param offset the index in the array at which the first item has its offset 0
     * @param count the number of items
     * @throws IndexOutOfBoundsException if an element is not in the array; nothing is written then
     * @throws IllegalArgumentException if the count is below 0
     * @throws IllegalStateException if the calling thread has a claim on the stream; nothing is written then
     * @throws IOException as a write of the stream. It is not known then how many elements were written
     */
    public void write(A from, int offset, int count, TypedOutput out) throws IOException {
        int units = checked(from, "from", offset, count);
        new LayoutCopies<>(this, from, offset).write(out, units);
    }

    /**
     * Reads elements from a typed stream into an array: what {@link #write} or {@code TypedOutput.write(elements)} has written. Each
     * element is copied straight out of the memory of the connection's fast path where it has one, but for short calls; an element whose
     * bytes do not lie there in one piece is put together first. Takes no byte behind the last element.
     *
     * <p>Blocks until all elements are there, as {@link TypedInput#readFully(double[])}, and as there, elements that were stored before an
     * exception do not come again. SO_TIMEOUT holds for each wait. Elements of the other byte order are converted.
     *
     * @param offset the index in the array at which the first item has its offset 0
     * @param count the number of items
     * @throws IndexOutOfBoundsException if an element is not in the array; nothing is read then
     * @throws IllegalArgumentException if the count is below 0
     * @throws IllegalStateException if the calling thread has a claim on the stream; nothing is read then
     * @throws java.io.EOFException if the stream ends before the last element. Some elements may have been stored then
     * @throws IOException as a read of the stream. Some elements may have been stored then
     */
    public void read(TypedInput in, A into, int offset, int count) throws IOException {
        int units = checked(into, "into", offset, count);
        new LayoutCopies<>(this, into, offset).read(in, units);
    }

    /**
     * Packs elements of an array into a claim on a typed stream, in the stream's byte order, without any header. The claim may have other
     * data before and behind them. Only the thread that made the claim may call this.
     *
     * @param offset the index in the array at which the first item has its offset 0
     * @param count the number of items
     * @param index of the first byte in the claim
     * @throws IndexOutOfBoundsException if an element is not in the array, or the claim has not room for all; nothing is packed then
     * @throws IllegalArgumentException if the count is below 0
     * @throws IllegalStateException if the claim is not open, is another thread's, or its memory is taken back
     */
    public void pack(A from, int offset, int count, WriteClaim into, int index) {
        int units = checked(from, "from", offset, count);
        new LayoutCopies<>(this, from, offset).pack(into, index, units);
    }

    /**
     * Unpacks elements from a claim on a typed stream into an array. The bytes stay in the claim. Only the thread that made the claim may
     * call this.
     *
     * @param index of the first byte in the claim
     * @param offset the index in the array at which the first item has its offset 0
     * @param count the number of items
     * @throws IndexOutOfBoundsException if an element is not in the array, or not in the claim; nothing is unpacked then
     * @throws IllegalArgumentException if the count is below 0
     * @throws IllegalStateException if the claim is not open, is another thread's, or its memory is taken back
     */
    public void unpack(ReadClaim from, int index, A into, int offset, int count) {
        int units = checked(into, "into", offset, count);
        new LayoutCopies<>(this, into, offset).unpack(from, index, units);
    }

    /** The number of elements of all items. Throws if the count is wrong, or an element is not in the array. */
    int checked(A array, String name, int offset, int count) {
        Checks.notNegative("count", count);
        Checks.runs(runs, offset, extent(), count, name, type.elements().length(array));
        long size = (long) runs.units() * count;
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("count is " + count + "; allowed is 0 to " + Integer.MAX_VALUE / runs.units()
                    + ", since one item has " + runs.units() + " elements");
        }
        return (int) size;
    }

    /** Packs items whose bounds were checked. @param elements of this layout's type, for the view's memory */
    void put(Elements<A> elements, A from, int offset, int count, Buffer into, int index) {
        int size = runs.units();
        if (count == 0 || size == 0) {
            return;
        }
        if (runs.isDense(extent())) {
            elements.put(from, offset + runs.offset(0), size * count, into, index);
        } else if (runs.count() == 1) {
            elements.putBlocks(from, offset + runs.offset(0), extent(), size, count, into, index);
        } else {
            for (int i = 0; i < count; i++) {
                elements.putRuns(from, offset + i * extent(), runs, 0, runs.count(), into, index + i * size);
            }
        }
    }

    /** Unpacks items whose bounds were checked. @param elements of this layout's type, for the view's memory */
    void get(Elements<A> elements, Buffer from, int index, A into, int offset, int count) {
        int size = runs.units();
        if (count == 0 || size == 0) {
            return;
        }
        if (runs.isDense(extent())) {
            elements.get(from, index, size * count, into, offset + runs.offset(0));
        } else if (runs.count() == 1) {
            elements.getBlocks(from, index, into, offset + runs.offset(0), extent(), size, count);
        } else {
            for (int i = 0; i < count; i++) {
                elements.getRuns(from, index + i * size, into, offset + i * extent(), runs, 0, runs.count());
            }
        }
    }

    @Override
    public String toString() {
        return "layout of " + size() + " elements of " + type + " in " + runs.count() + " runs, extent " + extent();
    }
}
