package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import jfs.memory.ElementType;

/** Elements of the type {@code byte}. The methods are the same in the classes of all types: Java has no generics over primitive types. */
public final class ByteElements extends Elements<byte[]> {

    public ByteElements() {
        super(ElementType.BYTE);
    }

    @Override
    public Buffer view(ByteBuffer memory) {
        return memory.slice();
    }

    @Override
    byte[] array(int length) {
        return new byte[length];
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
    void gather(byte[] from, int at, int stride, int length, int count, byte[] into) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[i] = from[j];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 2) {
                    into[to] = from[j];
                    into[to + 1] = from[j + 1];
                }
            }
            case 3 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 3) {
                    into[to] = from[j];
                    into[to + 1] = from[j + 1];
                    into[to + 2] = from[j + 2];
                }
            }
            case 4 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 4) {
                    into[to] = from[j];
                    into[to + 1] = from[j + 1];
                    into[to + 2] = from[j + 2];
                    into[to + 3] = from[j + 3];
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
    void scatter(byte[] from, byte[] into, int at, int stride, int length, int count) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[j] = from[i];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 2) {
                    into[j] = from[next];
                    into[j + 1] = from[next + 1];
                }
            }
            case 3 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 3) {
                    into[j] = from[next];
                    into[j + 1] = from[next + 1];
                    into[j + 2] = from[next + 2];
                }
            }
            case 4 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 4) {
                    into[j] = from[next];
                    into[j + 1] = from[next + 1];
                    into[j + 2] = from[next + 2];
                    into[j + 3] = from[next + 3];
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
