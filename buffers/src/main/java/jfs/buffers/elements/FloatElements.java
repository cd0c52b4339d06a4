package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import jfs.memory.ElementType;

/** Elements of the type {@code float}. The methods are the same in the classes of all types: Java has no generics over primitive types. */
public final class FloatElements extends Elements<float[]> {

    public FloatElements(Memory memory) {
        super(ElementType.FLOAT, memory);
    }

    @Override
    public Buffer view(ByteBuffer memory) {
        return memory.asFloatBuffer();
    }

    @Override
    float[] array(int length) {
        return new float[length];
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
    boolean isAsInArrays(Buffer view) {
        return ((FloatBuffer) view).order() == ByteOrder.nativeOrder();
    }

    @Override
    void gather(float[] from, int at, int stride, int length, int count, float[] into) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[i] = from[j];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 2) {
                    float b = from[j + 1];
                    float a = from[j];
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 3) {
                    float c = from[j + 2];
                    float b = from[j + 1];
                    float a = from[j];
                    into[to + 2] = c;
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 4) {
                    float d = from[j + 3];
                    float c = from[j + 2];
                    float b = from[j + 1];
                    float a = from[j];
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
    void scatter(float[] from, float[] into, int at, int stride, int length, int count) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[j] = from[i];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 2) {
                    float b = from[next + 1];
                    float a = from[next];
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 3) {
                    float c = from[next + 2];
                    float b = from[next + 1];
                    float a = from[next];
                    into[j + 2] = c;
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 4) {
                    float d = from[next + 3];
                    float c = from[next + 2];
                    float b = from[next + 1];
                    float a = from[next];
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
