package jfs.memory;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Copies elements of primitive types between a program's arrays or buffers and bytes in memory, in either byte order, without memory order
 * and without a {@code byte[]} in between. The JDK copies a whole slice at once, and turns the bytes round in the same step. It does that
 * by a view of the memory for each type. A view counts in whole elements from its first byte on, so there is one for each remainder of an
 * offset. Each view is made once. A copy makes no garbage.
 *
 * <p>A {@code boolean} is a byte: 1 for true and 0 for false. Each other value of the byte is true when it is read.
 *
 * <p>One thread at a time. Offsets are bytes from the memory's start, at any alignment. All methods check the bounds of the memory and of
 * the program's array or buffer, and throw {@link IndexOutOfBoundsException}.
 */
public final class ElementViews {

    /** Of a type there are at most so many views for each byte order. */
    private static final int REMAINDERS = Long.BYTES;

    private final ByteBuffer memory;
    private final Buffer[] views = new Buffer[ElementType.values().length * 2 * REMAINDERS];
    private final BooleanBytes booleans = new BooleanBytes();

    /** @param memory of any kind; its position, limit and order do not count */
    public ElementViews(ByteBuffer memory) {
        this.memory = memory;
    }

    /** The memory of which these are the views. */
    public ByteBuffer memory() {
        return memory;
    }

    /**
     * The memory as elements of a type, from the first one on that lies a multiple of the type's size before {@code offset}: there is an
     * element at {@code offset}, whose index is {@code offset / type.bytes()}. Of bytes and {@code boolean} the memory itself.
     */
    public Buffer view(ElementType type, ByteOrder order, int offset) {
        if (type.bytes() == 1) {
            return memory;
        }
        int remainder = offset % type.bytes();
        int key = (type.ordinal() * 2 + (order == ByteOrder.BIG_ENDIAN ? 1 : 0)) * REMAINDERS + remainder;
        Buffer view = views[key];
        if (view == null) {
            ByteBuffer from = memory.duplicate().clear().position(remainder).slice().order(order);
            view = switch (type) {
                case CHAR -> from.asCharBuffer();
                case SHORT -> from.asShortBuffer();
                case INT -> from.asIntBuffer();
                case LONG -> from.asLongBuffer();
                case FLOAT -> from.asFloatBuffer();
                case DOUBLE -> from.asDoubleBuffer();
                case BOOLEAN, BYTE -> throw new AssertionError(type);
            };
            views[key] = view;
        }
        return view;
    }

    /**
     * Copies elements into the memory.
     *
     * @param from an array of the type, or a buffer of it, whose position and limit do not count; or an {@link ElementSequence}
     * @param index of the first element in {@code from}; of a sequence it does not count, since the next elements are copied
     */
    public void put(ElementType type, ByteOrder order, int offset, Object from, int index, int count) {
        int at = offset / type.bytes();
        if (from instanceof ElementSequence sequence) {
            sequence.put(view(type, order, offset), at, count);
            return;
        }
        switch (type) {
            case BOOLEAN -> booleans.put(memory, offset, (boolean[]) from, index, count);
            case BYTE -> {
                if (from instanceof byte[] array) {
                    memory.put(offset, array, index, count);
                } else {
                    memory.put(offset, (ByteBuffer) from, index, count);
                }
            }
            case CHAR -> {
                CharBuffer view = (CharBuffer) view(type, order, offset);
                if (from instanceof char[] array) {
                    view.put(at, array, index, count);
                } else {
                    view.put(at, (CharBuffer) from, index, count);
                }
            }
            case SHORT -> {
                ShortBuffer view = (ShortBuffer) view(type, order, offset);
                if (from instanceof short[] array) {
                    view.put(at, array, index, count);
                } else {
                    view.put(at, (ShortBuffer) from, index, count);
                }
            }
            case INT -> {
                IntBuffer view = (IntBuffer) view(type, order, offset);
                if (from instanceof int[] array) {
                    view.put(at, array, index, count);
                } else {
                    view.put(at, (IntBuffer) from, index, count);
                }
            }
            case LONG -> {
                LongBuffer view = (LongBuffer) view(type, order, offset);
                if (from instanceof long[] array) {
                    view.put(at, array, index, count);
                } else {
                    view.put(at, (LongBuffer) from, index, count);
                }
            }
            case FLOAT -> {
                FloatBuffer view = (FloatBuffer) view(type, order, offset);
                if (from instanceof float[] array) {
                    view.put(at, array, index, count);
                } else {
                    view.put(at, (FloatBuffer) from, index, count);
                }
            }
            case DOUBLE -> {
                DoubleBuffer view = (DoubleBuffer) view(type, order, offset);
                if (from instanceof double[] array) {
                    view.put(at, array, index, count);
                } else {
                    view.put(at, (DoubleBuffer) from, index, count);
                }
            }
        }
    }

    /**
     * Copies elements out of the memory.
     *
     * @param into an array of the type, or a buffer of it, whose position and limit do not count; or an {@link ElementSequence}
     * @param index of the first element in {@code into}; of a sequence it does not count, as for {@link #put}
     */
    public void get(ElementType type, ByteOrder order, int offset, Object into, int index, int count) {
        int at = offset / type.bytes();
        if (into instanceof ElementSequence sequence) {
            sequence.get(view(type, order, offset), at, count);
            return;
        }
        switch (type) {
            case BOOLEAN -> booleans.get(memory, offset, (boolean[]) into, index, count);
            case BYTE -> {
                if (into instanceof byte[] array) {
                    memory.get(offset, array, index, count);
                } else {
                    ((ByteBuffer) into).put(index, memory, offset, count);
                }
            }
            case CHAR -> {
                CharBuffer view = (CharBuffer) view(type, order, offset);
                if (into instanceof char[] array) {
                    view.get(at, array, index, count);
                } else {
                    ((CharBuffer) into).put(index, view, at, count);
                }
            }
            case SHORT -> {
                ShortBuffer view = (ShortBuffer) view(type, order, offset);
                if (into instanceof short[] array) {
                    view.get(at, array, index, count);
                } else {
                    ((ShortBuffer) into).put(index, view, at, count);
                }
            }
            case INT -> {
                IntBuffer view = (IntBuffer) view(type, order, offset);
                if (into instanceof int[] array) {
                    view.get(at, array, index, count);
                } else {
                    ((IntBuffer) into).put(index, view, at, count);
                }
            }
            case LONG -> {
                LongBuffer view = (LongBuffer) view(type, order, offset);
                if (into instanceof long[] array) {
                    view.get(at, array, index, count);
                } else {
                    ((LongBuffer) into).put(index, view, at, count);
                }
            }
            case FLOAT -> {
                FloatBuffer view = (FloatBuffer) view(type, order, offset);
                if (into instanceof float[] array) {
                    view.get(at, array, index, count);
                } else {
                    ((FloatBuffer) into).put(index, view, at, count);
                }
            }
            case DOUBLE -> {
                DoubleBuffer view = (DoubleBuffer) view(type, order, offset);
                if (into instanceof double[] array) {
                    view.get(at, array, index, count);
                } else {
                    ((DoubleBuffer) into).put(index, view, at, count);
                }
            }
        }
    }
}
