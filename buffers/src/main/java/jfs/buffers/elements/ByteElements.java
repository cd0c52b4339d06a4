package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/** Elements of the type {@code byte}. The methods are the same in the classes of all types: Java has no generics over primitive types. */
public final class ByteElements extends Elements<byte[]> {

    public ByteElements() {
        super(1);
    }

    @Override
    public Buffer view(ByteBuffer memory) {
        return memory.slice();
    }

    @Override
    public int length(byte[] array) {
        return array.length;
    }

    @Override
    public void put(byte[] from, int at, int count, Buffer into, int index) {
        ((ByteBuffer) into).put(index, from, at, count);
    }

    @Override
    public void get(Buffer from, int index, int count, byte[] into, int at) {
        ((ByteBuffer) from).get(index, into, at, count);
    }

    @Override
    public void putStrided(byte[] from, int at, int stride, int count, Buffer into, int index) {
        ByteBuffer view = (ByteBuffer) into;
        for (int i = 0, j = at; i < count; i++, j += stride) {
            view.put(index + i, from[j]);
        }
    }

    @Override
    public void getStrided(Buffer from, int index, int count, byte[] into, int at, int stride) {
        ByteBuffer view = (ByteBuffer) from;
        for (int i = 0, j = at; i < count; i++, j += stride) {
            into[j] = view.get(index + i);
        }
    }

    @Override
    public void putIndexed(byte[] from, int[] indexes, int first, int count, Buffer into, int index) {
        ByteBuffer view = (ByteBuffer) into;
        for (int i = 0; i < count; i++) {
            view.put(index + i, from[indexes[first + i]]);
        }
    }

    @Override
    public void getIndexed(Buffer from, int index, int count, byte[] into, int[] indexes, int first) {
        ByteBuffer view = (ByteBuffer) from;
        for (int i = 0; i < count; i++) {
            into[indexes[first + i]] = view.get(index + i);
        }
    }

    @Override
    public void putRuns(byte[] from, int base, Runs runs, Buffer into, int index) {
        int at = index;
        for (int i = 0; i < runs.count(); i++) {
            int length = runs.length(i);
            put(from, base + runs.offset(i), length, into, at);
            at += length;
        }
    }

    @Override
    public void getRuns(Buffer from, int index, byte[] into, int base, Runs runs) {
        int at = index;
        for (int i = 0; i < runs.count(); i++) {
            int length = runs.length(i);
            get(from, at, length, into, base + runs.offset(i));
            at += length;
        }
    }
}
