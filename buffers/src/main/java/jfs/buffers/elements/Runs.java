package jfs.buffers.elements;

import java.util.Arrays;

/**
 * What a layout comes to: runs of neighbouring units, each with its offset and length, in the order in which they are packed. A unit is an
 * element of an array, or a byte of a record. Neighbouring runs are one run. Immutable.
 */
public final class Runs {

    private final int[] offsets;
    private final int[] lengths;
    private final int units;
    private final int lowest;
    private final int highest;
    private final int blockLength;
    private final int stride;

    private Runs(int[] offsets, int[] lengths, int units) {
        this.offsets = offsets;
        this.lengths = lengths;
        this.units = units;
        int least = Integer.MAX_VALUE;
        int most = Integer.MIN_VALUE;
        for (int i = 0; i < offsets.length; i++) {
            least = Math.min(least, offsets[i]);
            most = Math.max(most, offsets[i] + lengths[i]);
        }
        lowest = offsets.length == 0 ? 0 : least;
        highest = offsets.length == 0 ? 0 : most;
        blockLength = blockLengthOf(offsets, lengths);
        stride = blockLength == 0 || offsets.length == 1 ? 0 : offsets[1] - offsets[0];
    }

    /** The length of all runs if they have the same length and the same distance; 0 otherwise. */
    private static int blockLengthOf(int[] offsets, int[] lengths) {
        if (offsets.length == 0) {
            return 0;
        }
        long stride = offsets.length == 1 ? 0 : (long) offsets[1] - offsets[0];
        for (int i = 1; i < offsets.length; i++) {
            if (lengths[i] != lengths[0] || (long) offsets[i] - offsets[i - 1] != stride) {
                return 0;
            }
        }
        return Math.abs(stride) > Integer.MAX_VALUE ? 0 : lengths[0];
    }

    /** The number of runs. */
    public int count() {
        return offsets.length;
    }

    /** The offset of a run in units. It may be negative. */
    public int offset(int run) {
        return offsets[run];
    }

    /** The length of a run in units, at least 1. */
    public int length(int run) {
        return lengths[run];
    }

    /** The sum of all lengths. */
    public int units() {
        return units;
    }

    /** The least offset of a unit; 0 if there is none. */
    public int lowest() {
        return lowest;
    }

    /** One more than the greatest offset of a unit; 0 if there is none. */
    public int highest() {
        return highest;
    }

    /** The length of each run if all have the same length, and the same distance from the one before; 0 otherwise, and without runs. */
    public int blockLength() {
        return blockLength;
    }

    /** That distance, from the begin of one run to the begin of the next one; 0 if there is one run, or {@link #blockLength} is 0. */
    public int stride() {
        return stride;
    }

    /** Whether copies of these runs, each {@code extent} behind the one before, are one run. */
    public boolean isDense(int extent) {
        return offsets.length == 1 && lengths[0] == extent;
    }

    /** Collects runs. */
    public static final class Builder {

        private int[] offsets = new int[4];
        private int[] lengths = new int[4];
        private int count;
        private long units;

        /**
         * Adds {@code copies} of some runs, the first at {@code offset}, each {@code extent} behind the one before.
         *
         * @throws IllegalArgumentException if an offset or the sum of all lengths is no {@code int}
         */
        public void add(Runs runs, long offset, int copies, int extent) {
            if (copies == 0 || runs.count() == 0) {
                return;
            }
            if (runs.isDense(extent)) {
                add(offset + runs.offset(0), (long) copies * extent);
                return;
            }
            for (int copy = 0; copy < copies; copy++) {
                for (int i = 0; i < runs.count(); i++) {
                    add(offset + (long) copy * extent + runs.offset(i), runs.length(i));
                }
            }
        }

        /**
         * Adds one run. It becomes part of the run before if it begins where that ends.
         *
         * @throws IllegalArgumentException if an offset or the sum of all lengths is no {@code int}
         */
        public void add(long offset, long length) {
            if (length == 0) {
                return;
            }
            units += length;
            if (offset < Integer.MIN_VALUE || offset + length > Integer.MAX_VALUE || units > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("a layout has its elements at offsets from " + Integer.MIN_VALUE + " to "
                        + Integer.MAX_VALUE + ", and at most " + Integer.MAX_VALUE + " of them; this one would have " + units
                        + " and more, one at the offset " + (offset < 0 ? offset : offset + length - 1));
            }
            if (count > 0 && offsets[count - 1] + lengths[count - 1] == offset) {
                lengths[count - 1] += (int) length;
                return;
            }
            if (count == offsets.length) {
                offsets = Arrays.copyOf(offsets, count * 2);
                lengths = Arrays.copyOf(lengths, count * 2);
            }
            offsets[count] = (int) offset;
            lengths[count++] = (int) length;
        }

        /** The runs so far. */
        public Runs build() {
            return new Runs(Arrays.copyOf(offsets, count), Arrays.copyOf(lengths, count), (int) units);
        }
    }
}
