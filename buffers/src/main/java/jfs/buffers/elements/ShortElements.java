package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import jfs.memory.ElementType;

/** Elements of the type {@code short}. The methods are the same in the classes of all types: Java has no generics over primitive types. */
public final class ShortElements extends Elements<short[]> {

    public ShortElements(Memory memory) {
        super(ElementType.SHORT, memory);
    }

    @Override
    public Buffer view(ByteBuffer memory) {
        return memory.asShortBuffer();
    }

    @Override
    short[] array(int length) {
        return new short[length];
    }

    @Override
    public int length(short[] array) {
        return array.length;
    }

    @Override
    public void put(short[] from, int at, int count, Buffer into, int index) {
        ((ShortBuffer) into).put(index, from, at, count);
    }

    @Override
    public void get(Buffer from, int index, int count, short[] into, int at) {
        ((ShortBuffer) from).get(index, into, at, count);
    }

    @Override
    public void putIndexed(short[] from, int[] indexes, int first, int count, Buffer into, int index) {
        ShortBuffer view = (ShortBuffer) into;
        for (int i = 0; i < count; i++) {
            view.put(index + i, from[indexes[first + i]]);
        }
    }

    @Override
    public void getIndexed(Buffer from, int index, int count, short[] into, int[] indexes, int first) {
        ShortBuffer view = (ShortBuffer) from;
        for (int i = 0; i < count; i++) {
            into[indexes[first + i]] = view.get(index + i);
        }
    }

    @Override
    boolean isAsInArrays(Buffer view) {
        return ((ShortBuffer) view).order() == ByteOrder.nativeOrder();
    }

    @Override
    void gather(short[] from, int at, int stride, int length, int count, short[] into) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[i] = from[j];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 2) {
                    short b = from[j + 1];
                    short a = from[j];
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 3) {
                    short c = from[j + 2];
                    short b = from[j + 1];
                    short a = from[j];
                    into[to + 2] = c;
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 4) {
                    short d = from[j + 3];
                    short c = from[j + 2];
                    short b = from[j + 1];
                    short a = from[j];
                    into[to + 3] = d;
                    into[to + 2] = c;
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    System.arraycopy(from, at + i * stride, into, i * length, length);
                }
            }
        }
    }

    @Override
    void scatter(short[] from, short[] into, int at, int stride, int length, int count) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[j] = from[i];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 2) {
                    short b = from[next + 1];
                    short a = from[next];
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 3) {
                    short c = from[next + 2];
                    short b = from[next + 1];
                    short a = from[next];
                    into[j + 2] = c;
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 4) {
                    short d = from[next + 3];
                    short c = from[next + 2];
                    short b = from[next + 1];
                    short a = from[next];
                    into[j + 3] = d;
                    into[j + 2] = c;
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    System.arraycopy(from, i * length, into, at + i * stride, length);
                }
            }
        }
    }
}
