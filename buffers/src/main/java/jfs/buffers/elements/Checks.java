package jfs.buffers.elements;

/** The checks of arguments. Each throws before anything is changed, and names the argument, its value and what is allowed. */
public final class Checks {

    private Checks() {
    }

    /** @throws IllegalArgumentException if a number is below 0 */
    public static void notNegative(String name, int value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is " + value + "; allowed is 0 and more");
        }
    }

    /** @throws IndexOutOfBoundsException if an array of that length has not {@code count} elements from {@code offset} on */
    public static void slice(String array, int length, String offsetName, int offset, int count) {
        if ((offset | count | length - offset - count) < 0 || offset > length) {
            if (offset < 0 || offset > length) {
                throw new IndexOutOfBoundsException(offsetName + " is " + offset + "; allowed is 0 to " + length
                        + ", the length of the array " + array);
            }
            throw new IndexOutOfBoundsException("count is " + count + "; allowed is 0 to " + (length - offset) + ", since the array "
                    + array + " has " + length + " elements and " + offsetName + " is " + offset);
        }
    }

    /** @throws IndexOutOfBoundsException if the indexes are not there, or one of them is not in an array of that length */
    public static void indexes(int[] indexes, int first, int count, String array, int length) {
        slice("indexes", indexes.length, "first", first, count);
        for (int i = first; i < first + count; i++) {
            if (indexes[i] < 0 || indexes[i] >= length) {
                throw new IndexOutOfBoundsException("indexes[" + i + "] is " + indexes[i] + "; allowed is 0 to " + (length - 1)
                        + ", since the array " + array + " has " + length + " elements");
            }
        }
    }

    /**
     * The number of elements in a region of several dimensions.
     *
     * @throws IndexOutOfBoundsException if one of them is not in an array of that length
     * @throws IllegalArgumentException if shape and strides have not as many numbers, or the shape has one below 0
     */
    public static int region(int offset, int[] shape, int[] strides, String array, int length) {
        if (shape.length != strides.length) {
            throw new IllegalArgumentException("shape has " + shape.length + " dimensions and strides has " + strides.length
                    + "; allowed is the same number");
        }
        boolean empty = false;
        for (int i = 0; i < shape.length; i++) {
            if (shape[i] < 0) {
                throw new IllegalArgumentException("shape[" + i + "] is " + shape[i] + "; allowed is 0 and more");
            }
            empty |= shape[i] == 0;
        }
        if (empty) {
            slice(array, length, "offset", offset, 0);
            return 0;
        }
        long count = 1;
        long lowest = offset;
        long highest = offset;
        for (int i = 0; i < shape.length; i++) {
            count *= shape[i];
            long reach = (shape[i] - 1L) * strides[i];
            if (reach < 0) {
                lowest += reach;
            } else {
                highest += reach;
            }
            if (count > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("shape has more than " + Integer.MAX_VALUE + " elements, which is the most allowed");
            }
        }
        inside(lowest, highest, array, length);
        return (int) count;
    }

    /**
     * @throws IndexOutOfBoundsException if {@code count} copies of the runs, the first at {@code offset}, are not all inside of an array
     *             or a buffer of that length
     */
    public static void runs(Runs runs, int offset, int extent, int count, String array, int length) {
        if (runs.units() == 0 || count == 0) {
            slice(array, length, "offset", offset, 0);
            return;
        }
        inside((long) offset + runs.lowest(), offset + (count - 1L) * extent + runs.highest() - 1, array, length);
    }

    private static void inside(long lowest, long highest, String array, int length) {
        if (lowest < 0 || highest >= length) {
            throw new IndexOutOfBoundsException("the elements lie from the index " + lowest + " to " + highest + " of " + array
                    + "; allowed is 0 to " + (length - 1));
        }
    }
}
