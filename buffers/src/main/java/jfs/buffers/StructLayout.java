package jfs.buffers;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import jfs.buffers.elements.Checks;
import jfs.buffers.elements.Runs;

/**
 * A {@link Layout} of records with fields of different types, in a {@link ByteBuffer}: records of a mapped file, of shared memory or of a
 * native library. Offsets, distances and bounds count bytes. The records' byte order is that of their buffer.
 *
 * <p>Why a buffer: an array of Java has elements of one type, and Java's objects have no layout that a program knows. mpiJava had structs
 * over arrays, whose fields could therefore have one type only. Fields in several arrays need no struct: a program writes one section
 * for each array.
 *
 * <p>A message has the fields of all records in one section for each type, in the order in which the types come first in the record. In a
 * section the elements have the order of the layout, record after record:
 *
 * <pre>
 *   the records      id x y  id x y  id x y     id: int, x and y: double
 *   the message      int section: id id id      double section: x y x y x y
 * </pre>
 *
 * <p>So each section has one type, its elements are aligned, the receiver converts the byte order, and it may also read the sections into
 * plain arrays. A receiver that unpacks records asks for as many as were packed.
 */
public final class StructLayout extends Layout {

    /** The elements of one type, in bytes. */
    record Part(BasicType<?> type, Runs runs) {

        /** The number of elements of one record. */
        int size() {
            return runs.units() / type.bytes();
        }
    }

    private final List<Part> parts;

    private StructLayout(List<Part> parts, int lower, int upper) {
        super(lower, upper);
        this.parts = List.copyOf(parts);
        if (bytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the fields of the layout would have " + bytes() + " bytes; allowed is 0 to "
                    + Integer.MAX_VALUE);
        }
    }

    /** Collects the runs of each type, the types in the order in which they come first. */
    private static final class Parts {

        private final List<BasicType<?>> types = new ArrayList<>();
        private final List<Runs.Builder> builders = new ArrayList<>();

        Runs.Builder of(BasicType<?> type) {
            int i = types.indexOf(type);
            if (i < 0) {
                i = types.size();
                types.add(type);
                builders.add(new Runs.Builder());
            }
            return builders.get(i);
        }

        List<Part> build() {
            List<Part> parts = new ArrayList<>();
            for (int i = 0; i < types.size(); i++) {
                parts.add(new Part(types.get(i), builders.get(i).build()));
            }
            return parts;
        }
    }

    static StructLayout of(int[] blockLengths, int[] displacements, Layout[] types) {
        Blocks blocks = indexedBlocks(blockLengths, displacements);
        if (types.length != blockLengths.length) {
            throw new IllegalArgumentException("there are " + types.length + " types and blockLengths has " + blockLengths.length
                    + " numbers; allowed is the same number");
        }
        Parts parts = new Parts();
        Bounds bounds = new Bounds();
        for (int i = 0; i < types.length; i++) {
            int unit = unit(types[i]);
            bounds.include(types[i], unit, displacements[i], blocks.length(i));
            if (types[i].size() > 0 && (long) types[i].extent() * unit > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("types[" + i + "] has an extent of " + (long) types[i].extent() * unit
                        + " bytes; allowed is 0 to " + Integer.MAX_VALUE);
            }
            if (types[i].size() > 0 && blocks.length(i) > 0) {
                for (Part part : parts(types[i])) {
                    parts.of(part.type).add(part.runs, displacements[i], blocks.length(i), types[i].extent() * unit);
                }
            }
        }
        return new StructLayout(parts.build(), bounds.lower(), bounds.upper());
    }

    private static int unit(Layout layout) {
        return layout instanceof ArrayLayout<?> array ? array.type().bytes() : 1;
    }

    private static List<Part> parts(Layout layout) {
        if (layout instanceof StructLayout struct) {
            return struct.parts;
        }
        ArrayLayout<?> array = (ArrayLayout<?>) layout;
        int unit = unit(array);
        Runs.Builder inBytes = new Runs.Builder();
        for (int i = 0; i < array.runs().count(); i++) {
            inBytes.add((long) array.runs().offset(i) * unit, (long) array.runs().length(i) * unit);
        }
        return List.of(new Part(array.type(), inBytes.build()));
    }

    private StructLayout copied(Blocks blocks) {
        Bounds bounds = bounds(blocks);
        List<Part> copied = new ArrayList<>();
        for (Part part : parts) {
            Runs runs = copies(part.runs, blocks);
            if (runs.count() > 0) {
                copied.add(new Part(part.type, runs));
            }
        }
        return new StructLayout(copied, bounds.lower(), bounds.upper());
    }

    /**
     * Copies of this layout one behind the other.
     *
     * @throws IllegalArgumentException if the count is below 0, or an offset or the number of bytes is no {@code int}
     */
    public StructLayout contiguous(int count) {
        return copied(contiguousBlocks(count));
    }

    /**
     * Blocks of copies of this layout at equal distances.
     *
     * @param count the number of blocks
     * @param blockLength the copies in each block
     * @param stride the distance from the begin of one block to that of the next one, in extents of this layout; it may be negative
     * @throws IllegalArgumentException if the count or the block length is below 0, or an offset or the number of bytes is no {@code int}
     */
    public StructLayout vector(int count, int blockLength, int stride) {
        return copied(vectorBlocks(count, blockLength, stride));
    }

    /**
     * Blocks of copies of this layout at any places.
     *
     * @param blockLengths the copies in each block
     * @param displacements where each block begins, in extents of this layout; they may be negative and in any order
     * @throws IllegalArgumentException if the arrays have different lengths, a block length is below 0, or an offset or the number of
     *             bytes is no {@code int}
     */
    public StructLayout indexed(int[] blockLengths, int[] displacements) {
        return copied(indexedBlocks(blockLengths, displacements));
    }

    /**
     * The same fields with other bounds: the size of a record with its padding, for example.
     *
     * @param lowerBound the new lower bound in bytes; no field moves
     * @param extent the new extent in bytes, from 0 on
     * @throws IllegalArgumentException if the extent is below 0, or the upper bound is no {@code int}
     */
    public StructLayout resized(int lowerBound, int extent) {
        return new StructLayout(parts, lowerBound, resizedUpper(lowerBound, extent));
    }

    @Override
    public int size() {
        int size = 0;
        for (Part part : parts) {
            size += part.size();
        }
        return size;
    }

    @Override
    public long bytes() {
        long bytes = 0;
        for (Part part : parts) {
            bytes += part.runs.units();
        }
        return bytes;
    }

    /** One for each section of a message. */
    List<Part> parts() {
        return parts;
    }

    /**
     * Packs records into a buffer, for example memory that a channel sends from: from the buffer's position on, in that buffer's byte
     * order, without any header and without gaps. As in a message, all elements of one type come first, then those of the next one:
     *
     * <pre>
     *   id id id  x y x y x y
     * </pre>
     *
     * The position is behind the last element then. Allocates nothing. The two buffers must not share memory.
     *
     * @param from the records, in its byte order. Its position has no meaning here and stays
     * @param offset the byte in {@code from} at which the first record has its offset 0
     * @param count the number of records
     * @throws IndexOutOfBoundsException if a field is not in {@code from}, below its limit; as after the next two, nothing is packed
     * @throws IllegalArgumentException if the count is below 0, or there are too many elements
     * @throws PackOverflowException if the buffer has less room
     * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
     */
    public void pack(ByteBuffer from, int offset, int count, ByteBuffer into) {
        check(from, "from", offset, count);
        if (bytes() * count > into.remaining()) {
            throw new PackOverflowException("the fields need " + bytes() * count + " bytes; the buffer has room for " + into.remaining());
        }
        int at = into.position();
        for (int i = 0; i < parts.size(); i++) {
            put(parts.get(i), from, offset, count, into, at);
            at += parts.get(i).runs.units() * count;
        }
        into.position(at);
    }

    /**
     * Unpacks records from a buffer: what {@link #pack(ByteBuffer, int, int, ByteBuffer) pack} has put there for as many records. The
     * position of {@code from} is behind the last element then. Allocates nothing. The two buffers must not share memory.
     *
     * @param from what was packed, in its byte order
     * @param into the records, in its byte order. Its position has no meaning here and stays
     * @param offset the byte in {@code into} at which the first record has its offset 0
     * @param count the number of records
     * @throws IndexOutOfBoundsException if a field is not in {@code into}, below its limit; as after the next two, nothing is unpacked
     * @throws IllegalArgumentException if the count is below 0, or there are too many elements
     * @throws PackUnderflowException if the buffer has fewer bytes
     * @throws java.nio.ReadOnlyBufferException if {@code into} is read-only
     */
    public void unpack(ByteBuffer from, ByteBuffer into, int offset, int count) {
        check(into, "into", offset, count);
        if (bytes() * count > from.remaining()) {
            throw new PackUnderflowException("the fields need " + bytes() * count + " bytes; the buffer has " + from.remaining());
        }
        int at = from.position();
        for (int i = 0; i < parts.size(); i++) {
            get(parts.get(i), from, at, into, offset, count);
            at += parts.get(i).runs.units() * count;
        }
        from.position(at);
    }

    /** Throws if the count is wrong, or a field is not in the buffer, between 0 and its limit. */
    void check(ByteBuffer records, String name, int offset, int count) {
        Checks.notNegative("count", count);
        if (parts.isEmpty()) {
            Checks.slice(name, records.limit(), "offset", offset, 0);
        }
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            Checks.runs(part.runs, offset, extent(), count, name, records.limit());
            if ((long) part.size() * count > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("count is " + count + "; allowed is 0 to " + Integer.MAX_VALUE / part.size()
                        + ", since one record has " + part.size() + " elements of the type " + part.type);
            }
        }
    }

    /** Packs one part of all records, whose bounds were checked, into memory from a byte on. */
    void put(Part part, ByteBuffer from, int offset, int count, ByteBuffer into, int index) {
        int at = index;
        for (int record = 0; record < count; record++) {
            int base = offset + record * extent();
            for (int i = 0; i < part.runs.count(); i++) {
                int length = part.runs.length(i);
                copy(from, base + part.runs.offset(i), into, at, length, part.type.bytes());
                at += length;
            }
        }
    }

    /** Unpacks one part of all records, whose bounds were checked, from memory from a byte on. */
    void get(Part part, ByteBuffer from, int index, ByteBuffer into, int offset, int count) {
        int at = index;
        for (int record = 0; record < count; record++) {
            int base = offset + record * extent();
            for (int i = 0; i < part.runs.count(); i++) {
                int length = part.runs.length(i);
                copy(from, at, into, base + part.runs.offset(i), length, part.type.bytes());
                at += length;
            }
        }
    }

    /** Copies elements of that many bytes each from one buffer to another, from the one's byte order to the other's. */
    private static void copy(ByteBuffer from, int at, ByteBuffer into, int to, int length, int size) {
        if (length > 8 * size && (size == 1 || from.order() == into.order())) {
            into.put(to, from, at, length);
            return;
        }
        switch (size) {
            case 1 -> {
                for (int i = 0; i < length; i++) {
                    into.put(to + i, from.get(at + i));
                }
            }
            case 2 -> {
                for (int i = 0; i < length; i += 2) {
                    into.putShort(to + i, from.getShort(at + i));
                }
            }
            case 4 -> {
                for (int i = 0; i < length; i += 4) {
                    into.putInt(to + i, from.getInt(at + i));
                }
            }
            default -> {
                for (int i = 0; i < length; i += 8) {
                    into.putLong(to + i, from.getLong(at + i));
                }
            }
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("struct of");
        for (Part part : parts) {
            text.append(' ').append(part.size()).append(' ').append(part.type).append(',');
        }
        return text.append(" extent ").append(extent()).append(" bytes").toString();
    }
}
