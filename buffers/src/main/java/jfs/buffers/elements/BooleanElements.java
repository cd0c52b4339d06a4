package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/** Elements of the type {@code boolean}, each one byte: 0 is false, all else is true, and true is written as 1. */
public final class BooleanElements extends Elements<boolean[]> {

    public BooleanElements() {
        super(1);
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
    public void putRuns(boolean[] from, int base, Runs runs, Buffer into, int index) {
        int at = index;
        for (int i = 0; i < runs.count(); i++) {
            int length = runs.length(i);
            put(from, base + runs.offset(i), length, into, at);
            at += length;
        }
    }

    @Override
    public void getRuns(Buffer from, int index, boolean[] into, int base, Runs runs) {
        int at = index;
        for (int i = 0; i < runs.count(); i++) {
            int length = runs.length(i);
            get(from, at, length, into, base + runs.offset(i));
            at += length;
        }
    }
}
