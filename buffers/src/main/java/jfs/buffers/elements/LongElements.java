package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import jfs.memory.ElementType;

/** Elements of the type {@code long}. The methods are the same in the classes of all types: Java has no generics over primitive types. */
public final class LongElements extends Elements<long[]> {

    public LongElements(Memory memory) {
        super(ElementType.LONG, memory);
    }

    @Override
    public Buffer view(ByteBuffer memory) {
        return memory.asLongBuffer();
    }

    @Override
    long[] array(int length) {
        return new long[length];
    }

    @Override
    public int length(long[] array) {
        return array.length;
    }

    @Override
    public void put(long[] from, int at, int count, Buffer into, int index) {
        ((LongBuffer) into).put(index, from, at, count);
    }

    @Override
    public void get(Buffer from, int index, int count, long[] into, int at) {
        ((LongBuffer) from).get(index, into, at, count);
    }

    @Override
    public void putIndexed(long[] from, int[] indexes, int first, int count, Buffer into, int index) {
        LongBuffer view = (LongBuffer) into;
        for (int i = 0; i < count; i++) {
            view.put(index + i, from[indexes[first + i]]);
        }
    }

    @Override
    public void getIndexed(Buffer from, int index, int count, long[] into, int[] indexes, int first) {
        LongBuffer view = (LongBuffer) from;
        for (int i = 0; i < count; i++) {
            into[indexes[first + i]] = view.get(index + i);
        }
    }

    @Override
    boolean isAsInArrays(Buffer view) {
        return ((LongBuffer) view).order() == ByteOrder.nativeOrder();
    }

    @Override
    void gather(long[] from, int at, int stride, int length, int count, long[] into) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[i] = from[j];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 2) {
                    long b = from[j + 1];
                    long a = from[j];
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 3) {
                    long c = from[j + 2];
                    long b = from[j + 1];
                    long a = from[j];
                    into[to + 2] = c;
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 4) {
                    long d = from[j + 3];
                    long c = from[j + 2];
                    long b = from[j + 1];
                    long a = from[j];
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
    void scatter(long[] from, long[] into, int at, int stride, int length, int count) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[j] = from[i];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 2) {
                    long b = from[next + 1];
                    long a = from[next];
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 3) {
                    long c = from[next + 2];
                    long b = from[next + 1];
                    long a = from[next];
                    into[j + 2] = c;
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 4) {
                    long d = from[next + 3];
                    long c = from[next + 2];
                    long b = from[next + 1];
                    long a = from[next];
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
