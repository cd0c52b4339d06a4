package jfs.buffers.elements;

import java.nio.Buffer;

/** Copies regions of several dimensions, whose bounds were checked. Each dimension has an extent ({@code shape}) and a stride. */
public final class Regions {

    private Regions() {
    }

    /** Copies the dimensions from {@code first} on. @return the index in the view behind them */
    public static <A> int put(Elements<A> elements, A from, int offset, int[] shape, int[] strides, int first, Buffer into, int index) {
        int last = shape.length - 1;
        if (first > last) { // no dimension: one element
            elements.put(from, offset, 1, into, index);
            return index + 1;
        }
        if (first == last) {
            if (strides[last] == 1) {
                elements.put(from, offset, shape[last], into, index);
            } else {
                elements.putBlocks(from, offset, strides[last], 1, shape[last], into, index);
            }
            return index + shape[last];
        }
        int at = index;
        for (int i = 0; i < shape[first]; i++) {
            at = put(elements, from, offset + i * strides[first], shape, strides, first + 1, into, at);
        }
        return at;
    }

    /** Copies the dimensions from {@code first} on. @return the index in the view behind them */
    public static <A> int get(Elements<A> elements, Buffer from, int index, A into, int offset, int[] shape, int[] strides, int first) {
        int last = shape.length - 1;
        if (first > last) { // no dimension: one element
            elements.get(from, index, 1, into, offset);
            return index + 1;
        }
        if (first == last) {
            if (strides[last] == 1) {
                elements.get(from, index, shape[last], into, offset);
            } else {
                elements.getBlocks(from, index, into, offset, strides[last], 1, shape[last]);
            }
            return index + shape[last];
        }
        int at = index;
        for (int i = 0; i < shape[first]; i++) {
            at = get(elements, from, at, into, offset + i * strides[first], shape, strides, first + 1);
        }
        return at;
    }
}
