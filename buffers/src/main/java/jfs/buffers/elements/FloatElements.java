package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/** Elements of the type {@code float}. The methods are the same in the classes of all types: Java has no generics over primitive types. */
public final class FloatElements extends Elements<float[]> {

    public FloatElements() {
        super(4);
    }

    @Override
    public Buffer view(ByteBuffer memory) {
        return memory.asFloatBuffer();
    }

    @Override
    public int length(float[] array) {
        return array.length;
    }

    @Override
    public void put(float[] from, int at, int count, Buffer into, int index) {
        ((FloatBuffer) into).put(index, from, at, count);
    }

    @Override
    public void get(Buffer from, int index, int count, float[] into, int at) {
        ((FloatBuffer) from).get(index, into, at, count);
    }

    @Override
    public void putStrided(float[] from, int at, int stride, int count, Buffer into, int index) {
        FloatBuffer view = (FloatBuffer) into;
        for (int i = 0, j = at; i < count; i++, j += stride) {
            view.put(index + i, from[j]);
        }
    }

    @Override
    public void getStrided(Buffer from, int index, int count, float[] into, int at, int stride) {
        FloatBuffer view = (FloatBuffer) from;
        for (int i = 0, j = at; i < count; i++, j += stride) {
            into[j] = view.get(index + i);
        }
    }

    @Override
    public void putIndexed(float[] from, int[] indexes, int first, int count, Buffer into, int index) {
        FloatBuffer view = (FloatBuffer) into;
        for (int i = 0; i < count; i++) {
            view.put(index + i, from[indexes[first + i]]);
        }
    }

    @Override
    public void getIndexed(Buffer from, int index, int count, float[] into, int[] indexes, int first) {
        FloatBuffer view = (FloatBuffer) from;
        for (int i = 0; i < count; i++) {
            into[indexes[first + i]] = view.get(index + i);
        }
    }

    @Override
    public void putRuns(float[] from, int base, Runs runs, Buffer into, int index) {
        int at = index;
        for (int i = 0; i < runs.count(); i++) {
            int length = runs.length(i);
            put(from, base + runs.offset(i), length, into, at);
            at += length;
        }
    }

    @Override
    public void getRuns(Buffer from, int index, float[] into, int base, Runs runs) {
        int at = index;
        for (int i = 0; i < runs.count(); i++) {
            int length = runs.length(i);
            get(from, at, length, into, base + runs.offset(i));
            at += length;
        }
    }
}
