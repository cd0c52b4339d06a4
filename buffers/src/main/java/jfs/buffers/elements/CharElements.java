package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;

/** Elements of the type {@code char}. The methods are the same in the classes of all types: Java has no generics over primitive types. */
public final class CharElements extends Elements<char[]> {

    public CharElements() {
        super(2);
    }

    @Override
    public Buffer view(ByteBuffer memory) {
        return memory.asCharBuffer();
    }

    @Override
    public int length(char[] array) {
        return array.length;
    }

    @Override
    public void put(char[] from, int at, int count, Buffer into, int index) {
        ((CharBuffer) into).put(index, from, at, count);
    }

    @Override
    public void get(Buffer from, int index, int count, char[] into, int at) {
        ((CharBuffer) from).get(index, into, at, count);
    }

    @Override
    public void putStrided(char[] from, int at, int stride, int count, Buffer into, int index) {
        CharBuffer view = (CharBuffer) into;
        for (int i = 0, j = at; i < count; i++, j += stride) {
            view.put(index + i, from[j]);
        }
    }

    @Override
    public void getStrided(Buffer from, int index, int count, char[] into, int at, int stride) {
        CharBuffer view = (CharBuffer) from;
        for (int i = 0, j = at; i < count; i++, j += stride) {
            into[j] = view.get(index + i);
        }
    }

    @Override
    public void putIndexed(char[] from, int[] indexes, int first, int count, Buffer into, int index) {
        CharBuffer view = (CharBuffer) into;
        for (int i = 0; i < count; i++) {
            view.put(index + i, from[indexes[first + i]]);
        }
    }

    @Override
    public void getIndexed(Buffer from, int index, int count, char[] into, int[] indexes, int first) {
        CharBuffer view = (CharBuffer) from;
        for (int i = 0; i < count; i++) {
            into[indexes[first + i]] = view.get(index + i);
        }
    }

    @Override
    public void putRuns(char[] from, int base, Runs runs, Buffer into, int index) {
        int at = index;
        for (int i = 0; i < runs.count(); i++) {
            int length = runs.length(i);
            put(from, base + runs.offset(i), length, into, at);
            at += length;
        }
    }

    @Override
    public void getRuns(Buffer from, int index, char[] into, int base, Runs runs) {
        int at = index;
        for (int i = 0; i < runs.count(); i++) {
            int length = runs.length(i);
            get(from, at, length, into, base + runs.offset(i));
            at += length;
        }
    }
}
