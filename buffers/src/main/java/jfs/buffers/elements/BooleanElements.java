package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import jfs.memory.ElementType;

/** Elements of the type {@code boolean}, each one byte: 0 is false, all else is true, and true is written as 1. */
public final class BooleanElements extends Elements<boolean[]> {

    public BooleanElements() {
        super(ElementType.BOOLEAN);
    }

    @Override
    public Buffer view(ByteBuffer memory) {
        return memory.slice();
    }

    @Override
    public int length(boolean[] array) {
        return array.length;
    }

    @Override
    public void put(boolean[] from, int at, int count, Buffer into, int index) {
        putStrided(from, at, 1, count, into, index);
    }

    @Override
    public void get(Buffer from, int index, int count, boolean[] into, int at) {
        getStrided(from, index, count, into, at, 1);
    }

    @Override
    public void putStrided(boolean[] from, int at, int stride, int count, Buffer into, int index) {
        ByteBuffer view = (ByteBuffer) into;
        for (int i = 0, j = at; i < count; i++, j += stride) {
            view.put(index + i, (byte) (from[j] ? 1 : 0));
        }
    }

    @Override
    public void getStrided(Buffer from, int index, int count, boolean[] into, int at, int stride) {
        ByteBuffer view = (ByteBuffer) from;
        for (int i = 0, j = at; i < count; i++, j += stride) {
            into[j] = view.get(index + i) != 0;
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
    public void putBlocks(boolean[] from, int at, int stride, int length, int count, Buffer into, int index) {
        ByteBuffer view = (ByteBuffer) into;
        switch (length) {
            case 1 -> putStrided(from, at, stride, count, into, index);
            case 2 -> {
                for (int i = 0, j = at, to = index; i < count; i++, j += stride, to += 2) {
                    view.put(to, (byte) (from[j] ? 1 : 0));
                    view.put(to + 1, (byte) (from[j + 1] ? 1 : 0));
                }
            }
            case 3 -> {
                for (int i = 0, j = at, to = index; i < count; i++, j += stride, to += 3) {
                    view.put(to, (byte) (from[j] ? 1 : 0));
                    view.put(to + 1, (byte) (from[j + 1] ? 1 : 0));
                    view.put(to + 2, (byte) (from[j + 2] ? 1 : 0));
                }
            }
            case 4 -> {
                for (int i = 0, j = at, to = index; i < count; i++, j += stride, to += 4) {
                    view.put(to, (byte) (from[j] ? 1 : 0));
                    view.put(to + 1, (byte) (from[j + 1] ? 1 : 0));
                    view.put(to + 2, (byte) (from[j + 2] ? 1 : 0));
                    view.put(to + 3, (byte) (from[j + 3] ? 1 : 0));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    put(from, at + i * stride, length, into, index + i * length);
                }
            }
        }
    }

    @Override
    public void getBlocks(Buffer from, int index, boolean[] into, int at, int stride, int length, int count) {
        ByteBuffer view = (ByteBuffer) from;
        switch (length) {
            case 1 -> getStrided(from, index, count, into, at, stride);
            case 2 -> {
                for (int i = 0, j = at, next = index; i < count; i++, j += stride, next += 2) {
                    into[j] = view.get(next) != 0;
                    into[j + 1] = view.get(next + 1) != 0;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, next = index; i < count; i++, j += stride, next += 3) {
                    into[j] = view.get(next) != 0;
                    into[j + 1] = view.get(next + 1) != 0;
                    into[j + 2] = view.get(next + 2) != 0;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, next = index; i < count; i++, j += stride, next += 4) {
                    into[j] = view.get(next) != 0;
                    into[j + 1] = view.get(next + 1) != 0;
                    into[j + 2] = view.get(next + 2) != 0;
                    into[j + 3] = view.get(next + 3) != 0;
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    get(from, index + i * length, length, into, at + i * stride);
                }
            }
        }
    }
}
