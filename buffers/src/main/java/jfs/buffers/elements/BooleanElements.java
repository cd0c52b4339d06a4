package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import jfs.memory.ElementType;

/** Elements of the type {@code boolean}, each one byte: 0 is false, all else is true, and true is written as 1. */
public final class BooleanElements extends Elements<boolean[]> {

    public BooleanElements(Memory memory) {
        super(ElementType.BOOLEAN, memory);
    }

    @Override
    public Buffer view(ByteBuffer memory) {
        return memory.slice();
    }

    @Override
    boolean[] array(int length) {
        return new boolean[length];
    }

    @Override
    public int length(boolean[] array) {
        return array.length;
    }

    @Override
    public void put(boolean[] from, int at, int count, Buffer into, int index) {
        ByteBuffer view = (ByteBuffer) into;
        for (int i = 0; i < count; i++) {
            view.put(index + i, (byte) (from[at + i] ? 1 : 0));
        }
    }

    @Override
    public void get(Buffer from, int index, int count, boolean[] into, int at) {
        ByteBuffer view = (ByteBuffer) from;
        for (int i = 0; i < count; i++) {
            into[at + i] = view.get(index + i) != 0;
        }
    }

    @Override
    public void putIndexed(boolean[] from, int[] indexes, int first, int count, Buffer into, int index) {
        ByteBuffer view = (ByteBuffer) into;
        for (int i = 0; i < count; i++) {
            view.put(index + i, (byte) (from[indexes[first + i]] ? 1 : 0));
        }
    }

    @Override
    public void getIndexed(Buffer from, int index, int count, boolean[] into, int[] indexes, int first) {
        ByteBuffer view = (ByteBuffer) from;
        for (int i = 0; i < count; i++) {
            into[indexes[first + i]] = view.get(index + i) != 0;
        }
    }

    @Override
    boolean isAsInArrays(Buffer view) {
        return false; // in a view all but 0 are true, and in an array only 1 is
    }

    @Override
    void gather(boolean[] from, int at, int stride, int length, int count, boolean[] into) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[i] = from[j];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 2) {
                    boolean b = from[j + 1];
                    boolean a = from[j];
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 3) {
                    boolean c = from[j + 2];
                    boolean b = from[j + 1];
                    boolean a = from[j];
                    into[to + 2] = c;
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 4) {
                    boolean d = from[j + 3];
                    boolean c = from[j + 2];
                    boolean b = from[j + 1];
                    boolean a = from[j];
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
    void scatter(boolean[] from, boolean[] into, int at, int stride, int length, int count) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[j] = from[i];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 2) {
                    boolean b = from[next + 1];
                    boolean a = from[next];
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 3) {
                    boolean c = from[next + 2];
                    boolean b = from[next + 1];
                    boolean a = from[next];
                    into[j + 2] = c;
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 4) {
                    boolean d = from[next + 3];
                    boolean c = from[next + 2];
                    boolean b = from[next + 1];
                    boolean a = from[next];
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
