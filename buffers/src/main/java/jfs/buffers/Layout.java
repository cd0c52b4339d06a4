package jfs.buffers;

import jfs.buffers.elements.Checks;
import jfs.buffers.elements.Runs;

/**
 * Where the elements of one item of a program's data lie: a column of a matrix, the border of a grid, the fields of a record. Programs
 * send such items without copying them together by hand. In MPI's terms a derived datatype (MPI 4.1, chapter 5), and the words are
 * MPI's. An {@link ArrayLayout} is for the elements of one array, a {@link StructLayout} for records of mixed types in a buffer.
 *
 * <p>A layout begins with one element, {@link #of}, and others are made of it:
 *
 * <pre>
 *   contiguous(3)           XXX             the copies one behind the other
 *   vector(3, 2, 4)         XX..XX..XX      3 blocks of 2 copies, from one block's begin to the next one's 4
 *   indexed({2,1}, {1,5})   .XX..X          2 copies at 1, 1 copy at 5
 * </pre>
 *
 * <p>All distances are counted in the <em>extent</em> of the layout that is copied, which is 1 for one element. The extent reaches from the
 * <em>lower bound</em>, the least offset of an element, to the <em>upper bound</em>, which is one more than the greatest. {@code resized}
 * sets another extent. So a column of a matrix with 100 columns is {@code of(DOUBLE).vector(rows, 1, 100)}, and with {@code .resized(0, 1)}
 * the next column lies one element further.
 *
 * <ul>
 * <li><b>Order.</b> Elements are packed in the order in which the layout has them, not in the order of their offsets.
 * <li><b>Negative distances</b> are allowed. An offset may be negative too; then the item begins before the place where its offset 0 is.
 * Nothing outside of the array is ever touched: packing and unpacking check the bounds first.
 * <li><b>Overlaps</b> are allowed. An element that a layout has twice is packed twice. On unpacking, the later of the two in the message
 * stays (MPI forbids overlaps there).
 * <li><b>Zero.</b> A count of 0, or blocks of 0 copies, give a layout without elements, whose bounds and extent are 0. Blocks of 0 copies
 * have no part in the bounds.
 * </ul>
 *
 * <p>A layout is flattened when it is made: into runs of neighbouring elements, which are packed as one copy each, or, if they are
 * short, gathered and copied together. It keeps 8 bytes for each run. Immutable; threads may share it. Packing into messages and unpacking
 * allocate nothing. To a stream, a claim or a buffer they allocate one small object. Each thread that packs short runs keeps 4 KB for each
 * type of elements.
 */
public abstract sealed class Layout permits ArrayLayout, StructLayout {

    private final int lower;
    private final int upper;

    Layout(int lower, int upper) {
        this.lower = lower;
        this.upper = upper;
    }

    /**
     * One element, at the offset 0.
     *
     * @throws IllegalArgumentException if the type is {@link BasicType#OBJECT}
     */
    public static <A> ArrayLayout<A> of(BasicType<A> type) {
        type.elements();
        Runs.Builder one = new Runs.Builder();
        one.add(0, 1);
        return new ArrayLayout<>(type, one.build(), 0, 1);
    }

    /**
     * Fields of different types, which lie in a {@link java.nio.ByteBuffer}. Field {@code i} is {@code blockLengths[i]} copies of
     * {@code types[i]}, from the byte {@code displacements[i]} on. The extent has no padding behind the last field, as records of C may
     * have: {@link StructLayout#resized} adds it.
     *
     * @param types layouts of arrays, whose distances count elements, or structs, whose distances count bytes
     * @throws IllegalArgumentException if the three arrays have different lengths, a block length is below 0, or an offset or the number of
     *             bytes is no {@code int}
     */
    public static StructLayout struct(int[] blockLengths, int[] displacements, Layout... types) {
        return StructLayout.of(blockLengths, displacements, types);
    }

    /** The least offset of an element, or what {@code resized} has set. In elements; of a struct in bytes. */
    public final int lowerBound() {
        return lower;
    }

    /** One more than the greatest offset, or what {@code resized} has set. In elements; of a struct in bytes. */
    public final int upperBound() {
        return upper;
    }

    /** The distance from one item to the next one of several. In elements; of a struct in bytes. */
    public final int extent() {
        return upper - lower;
    }

    /** The number of elements of one item, of all types together. */
    public abstract int size();

    /** The bytes of the elements of one item, without gaps. */
    public abstract long bytes();

    /** Where the copies of a layout lie that make a new one: blocks of copies, and their displacements in extents. */
    interface Blocks {

        int count();

        int length(int block);

        long displacement(int block);
    }

    static Blocks contiguousBlocks(int count) {
        Checks.notNegative("count", count);
        return blocks(1, count, 0);
    }

    static Blocks vectorBlocks(int count, int blockLength, int stride) {
        Checks.notNegative("count", count);
        Checks.notNegative("blockLength", blockLength);
        return blocks(count, blockLength, stride);
    }

    private static Blocks blocks(int count, int length, int stride) {
        return new Blocks() {
            @Override
            public int count() {
                return count;
            }

            @Override
            public int length(int block) {
                return length;
            }

            @Override
            public long displacement(int block) {
                return (long) block * stride;
            }
        };
    }

    static Blocks indexedBlocks(int[] blockLengths, int[] displacements) {
        if (blockLengths.length != displacements.length) {
            throw new IllegalArgumentException("blockLengths has " + blockLengths.length + " numbers and displacements has "
                    + displacements.length + "; allowed is the same number");
        }
        for (int i = 0; i < blockLengths.length; i++) {
            Checks.notNegative("blockLengths[" + i + "]", blockLengths[i]);
        }
        return new Blocks() {
            @Override
            public int count() {
                return blockLengths.length;
            }

            @Override
            public int length(int block) {
                return blockLengths[block];
            }

            @Override
            public long displacement(int block) {
                return displacements[block];
            }
        };
    }

    private static long times(long distance, int unit) {
        if (Math.abs(distance) > Long.MAX_VALUE / 4 / Math.max(1, unit)) {
            throw new IllegalArgumentException("a distance of the layout would be " + distance + " times " + unit + "; allowed is "
                    + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE);
        }
        return distance * unit;
    }

    /** The runs of the copies, if {@code runs} are those of one copy. */
    final Runs copies(Runs runs, Blocks blocks) {
        Runs.Builder copies = new Runs.Builder();
        for (int i = 0; i < blocks.count(); i++) {
            copies.add(runs, times(blocks.displacement(i), extent()), blocks.length(i), extent());
        }
        return copies.build();
    }

    /** The bounds of the copies. */
    final Bounds bounds(Blocks blocks) {
        Bounds bounds = new Bounds();
        for (int i = 0; i < blocks.count(); i++) {
            bounds.include(this, 1, times(blocks.displacement(i), extent()), blocks.length(i));
        }
        return bounds;
    }

    /** Collects the bounds of a new layout. */
    static final class Bounds {

        private boolean any;
        private long lower;
        private long upper;

        /** @param unit by what the bounds of the layout are multiplied. @param offset of the first copy */
        void include(Layout layout, int unit, long offset, int copies) {
            if (copies > 0 && !(layout.size() == 0 && layout.extent() == 0)) {
                long least = offset + (long) layout.lower * unit;
                long most = offset + times((copies - 1L) * layout.extent(), unit) + (long) layout.upper * unit;
                lower = any ? Math.min(lower, least) : least;
                upper = any ? Math.max(upper, most) : most;
                any = true;
            }
        }

        int lower() {
            return exact(lower);
        }

        int upper() {
            if (upper - lower > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("the extent of the layout would be " + (upper - lower) + "; allowed is 0 to "
                        + Integer.MAX_VALUE);
            }
            return exact(upper);
        }

        private static int exact(long bound) {
            if (bound != (int) bound) {
                throw new IllegalArgumentException("a bound of the layout would be " + bound + "; allowed is " + Integer.MIN_VALUE + " to "
                        + Integer.MAX_VALUE);
            }
            return (int) bound;
        }
    }

    /** The upper bound of a layout that is resized. */
    static int resizedUpper(int lowerBound, int extent) {
        Checks.notNegative("extent", extent);
        if ((long) lowerBound + extent > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("lowerBound is " + lowerBound + " and extent is " + extent + "; allowed is a sum up to "
                    + Integer.MAX_VALUE);
        }
        return lowerBound + extent;
    }
}
