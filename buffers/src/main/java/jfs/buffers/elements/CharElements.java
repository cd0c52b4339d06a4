package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import jfs.memory.ElementType;

/** Elements of the type {@code char}. The methods are the same in the classes of all types: Java has no generics over primitive types. */
public final class CharElements extends Elements<char[]> {

    public CharElements() {
        super(ElementType.CHAR);
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
    public void putBlocks(char[] from, int at, int stride, int length, int count, Buffer into, int index) {
        CharBuffer view = (CharBuffer) into;
        switch (length) {
            case 1 -> putStrided(from, at, stride, count, into, index);
            case 2 -> {
                for (int i = 0, j = at, to = index; i < count; i++, j += stride, to += 2) {
                    view.put(to, from[j]);
                    view.put(to + 1, from[j + 1]);
                }
            }
            case 3 -> {
                for (int i = 0, j = at, to = index; i < count; i++, j += stride, to += 3) {
                    view.put(to, from[j]);
                    view.put(to + 1, from[j + 1]);
                    view.put(to + 2, from[j + 2]);
                }
            }
            case 4 -> {
                for (int i = 0, j = at, to = index; i < count; i++, j += stride, to += 4) {
                    view.put(to, from[j]);
                    view.put(to + 1, from[j + 1]);
                    view.put(to + 2, from[j + 2]);
                    view.put(to + 3, from[j + 3]);
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
    public void getBlocks(Buffer from, int index, char[] into, int at, int stride, int length, int count) {
        CharBuffer view = (CharBuffer) from;
        switch (length) {
            case 1 -> getStrided(from, index, count, into, at, stride);
            case 2 -> {
                for (int i = 0, j = at, next = index; i < count; i++, j += stride, next += 2) {
                    into[j] = view.get(next);
                    into[j + 1] = view.get(next + 1);
                }
            }
            case 3 -> {
                for (int i = 0, j = at, next = index; i < count; i++, j += stride, next += 3) {
                    into[j] = view.get(next);
                    into[j + 1] = view.get(next + 1);
                    into[j + 2] = view.get(next + 2);
                }
            }
            case 4 -> {
                for (int i = 0, j = at, next = index; i < count; i++, j += stride, next += 4) {
                    into[j] = view.get(next);
                    into[j + 1] = view.get(next + 1);
                    into[j + 2] = view.get(next + 2);
                    into[j + 3] = view.get(next + 3);
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
