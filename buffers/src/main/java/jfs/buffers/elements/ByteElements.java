package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import jfs.memory.ElementType;

/** Elements of the type {@code byte}. The methods are the same in the classes of all types: Java has no generics over primitive types. */
public final class ByteElements extends Elements<byte[]> {

    public ByteElements(Memory memory) {
        super(ElementType.BYTE, memory);
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
    boolean isAsInArrays(Buffer view) {
        return true;
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
                    byte b = from[j + 1];
                    byte a = from[j];
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 3) {
                    byte c = from[j + 2];
                    byte b = from[j + 1];
                    byte a = from[j];
                    into[to + 2] = c;
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 4) {
                    byte d = from[j + 3];
                    byte c = from[j + 2];
                    byte b = from[j + 1];
                    byte a = from[j];
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
    void scatter(byte[] from, byte[] into, int at, int stride, int length, int count) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[j] = from[i];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 2) {
                    byte b = from[next + 1];
                    byte a = from[next];
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 3) {
                    byte c = from[next + 2];
                    byte b = from[next + 1];
                    byte a = from[next];
                    into[j + 2] = c;
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 4) {
                    byte d = from[next + 3];
                    byte c = from[next + 2];
                    byte b = from[next + 1];
                    byte a = from[next];
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
