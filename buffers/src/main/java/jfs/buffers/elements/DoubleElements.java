package jfs.buffers.elements;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import jfs.memory.ElementType;

/** Elements of the type {@code double}. The methods are the same in the classes of all types: Java has no generics over primitive types. */
public final class DoubleElements extends Elements<double[]> {

    public DoubleElements(Memory memory) {
        super(ElementType.DOUBLE, memory);
    }

    @Override
    public Buffer view(ByteBuffer memory) {
        return memory.asDoubleBuffer();
    }

    @Override
    double[] array(int length) {
        return new double[length];
    }

    @Override
    public int length(double[] array) {
        return array.length;
    }

    @Override
    public void put(double[] from, int at, int count, Buffer into, int index) {
        ((DoubleBuffer) into).put(index, from, at, count);
    }

    @Override
    public void get(Buffer from, int index, int count, double[] into, int at) {
        ((DoubleBuffer) from).get(index, into, at, count);
    }

    @Override
    public void putIndexed(double[] from, int[] indexes, int first, int count, Buffer into, int index) {
        DoubleBuffer view = (DoubleBuffer) into;
        for (int i = 0; i < count; i++) {
            view.put(index + i, from[indexes[first + i]]);
        }
    }

    @Override
    public void getIndexed(Buffer from, int index, int count, double[] into, int[] indexes, int first) {
        DoubleBuffer view = (DoubleBuffer) from;
        for (int i = 0; i < count; i++) {
            into[indexes[first + i]] = view.get(index + i);
        }
    }

    @Override
    boolean isAsInArrays(Buffer view) {
        return ((DoubleBuffer) view).order() == ByteOrder.nativeOrder();
    }

    @Override
    void gather(double[] from, int at, int stride, int length, int count, double[] into) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[i] = from[j];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 2) {
                    double b = from[j + 1];
                    double a = from[j];
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 3) {
                    double c = from[j + 2];
                    double b = from[j + 1];
                    double a = from[j];
                    into[to + 2] = c;
                    into[to + 1] = b;
                    into[to] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, to = 0; i < count; i++, j += stride, to += 4) {
                    double d = from[j + 3];
                    double c = from[j + 2];
                    double b = from[j + 1];
                    double a = from[j];
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
    void scatter(double[] from, double[] into, int at, int stride, int length, int count) {
        switch (length) {
            case 1 -> {
                for (int i = 0, j = at; i < count; i++, j += stride) {
                    into[j] = from[i];
                }
            }
            case 2 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 2) {
                    double b = from[next + 1];
                    double a = from[next];
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 3 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 3) {
                    double c = from[next + 2];
                    double b = from[next + 1];
                    double a = from[next];
                    into[j + 2] = c;
                    into[j + 1] = b;
                    into[j] = a;
                }
            }
            case 4 -> {
                for (int i = 0, j = at, next = 0; i < count; i++, j += stride, next += 4) {
                    double d = from[next + 3];
                    double c = from[next + 2];
                    double b = from[next + 1];
                    double a = from[next];
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
