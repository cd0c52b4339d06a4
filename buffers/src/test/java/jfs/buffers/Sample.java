package jfs.buffers;

import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;

/** Arrays of any primitive type, one element at a time and without any code of the library. */
final class Sample {

    static final List<BasicType<?>> TYPES = List.of(BasicType.BYTE, BasicType.SHORT, BasicType.CHAR, BasicType.INT,
            BasicType.LONG, BasicType.FLOAT, BasicType.DOUBLE, BasicType.BOOLEAN);

    private Sample() {
    }

    @SuppressWarnings("unchecked")
    static <A> A array(BasicType<A> type, int length) {
        return (A) Array.newInstance(component(type), length);
    }

    private static Class<?> component(BasicType<?> type) {
        return switch (type.toString()) {
            case "byte" -> byte.class;
            case "short" -> short.class;
            case "char" -> char.class;
            case "int" -> int.class;
            case "long" -> long.class;
            case "float" -> float.class;
            case "double" -> double.class;
            case "boolean" -> boolean.class;
            default -> throw new AssertionError(type);
        };
    }

    /** An array of random bits: NaNs of all kinds are among the floating-point numbers. */
    static <A> A random(BasicType<A> type, int length, long seed) {
        Random random = new Random(seed);
        A array = array(type, length);
        for (int i = 0; i < length; i++) {
            setBits(array, i, random.nextLong());
        }
        return array;
    }

    /** By the call of that type. */
    static void write(TypedOutput out, Object array) throws IOException {
        if (array instanceof byte[] a) {
            out.write(a);
        } else if (array instanceof short[] a) {
            out.write(a);
        } else if (array instanceof char[] a) {
            out.write(a);
        } else if (array instanceof int[] a) {
            out.write(a);
        } else if (array instanceof long[] a) {
            out.write(a);
        } else if (array instanceof float[] a) {
            out.write(a);
        } else if (array instanceof double[] a) {
            out.write(a);
        } else {
            out.write((boolean[]) array);
        }
    }

    /** By the call of that type. */
    static void readFully(TypedInput in, Object array) throws IOException {
        if (array instanceof byte[] a) {
            in.readFully(a);
        } else if (array instanceof short[] a) {
            in.readFully(a);
        } else if (array instanceof char[] a) {
            in.readFully(a);
        } else if (array instanceof int[] a) {
            in.readFully(a);
        } else if (array instanceof long[] a) {
            in.readFully(a);
        } else if (array instanceof float[] a) {
            in.readFully(a);
        } else if (array instanceof double[] a) {
            in.readFully(a);
        } else {
            in.readFully((boolean[]) array);
        }
    }

    static void setBits(Object array, int i, long bits) {
        if (array instanceof byte[] a) {
            a[i] = (byte) bits;
        } else if (array instanceof short[] a) {
            a[i] = (short) bits;
        } else if (array instanceof char[] a) {
            a[i] = (char) bits;
        } else if (array instanceof int[] a) {
            a[i] = (int) bits;
        } else if (array instanceof long[] a) {
            a[i] = bits;
        } else if (array instanceof float[] a) {
            a[i] = Float.intBitsToFloat((int) bits);
        } else if (array instanceof double[] a) {
            a[i] = Double.longBitsToDouble(bits);
        } else {
            ((boolean[]) array)[i] = (bits & 1) != 0;
        }
    }

    static long bits(Object array, int i) {
        if (array instanceof byte[] a) {
            return a[i];
        } else if (array instanceof short[] a) {
            return a[i];
        } else if (array instanceof char[] a) {
            return a[i];
        } else if (array instanceof int[] a) {
            return a[i];
        } else if (array instanceof long[] a) {
            return a[i];
        } else if (array instanceof float[] a) {
            return Float.floatToRawIntBits(a[i]);
        } else if (array instanceof double[] a) {
            return Double.doubleToRawLongBits(a[i]);
        }
        return ((boolean[]) array)[i] ? 1 : 0;
    }

    /** All elements as bits, to compare arrays. */
    static List<Long> bits(Object array) {
        Long[] bits = new Long[Array.getLength(array)];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = bits(array, i);
        }
        return List.of(bits);
    }

    /** The element that lies in a buffer from a byte on, in the buffer's byte order. */
    static long bits(BasicType<?> type, ByteBuffer buffer, int at) {
        return switch (type.toString()) {
            case "byte" -> buffer.get(at);
            case "short" -> buffer.getShort(at);
            case "char" -> buffer.getChar(at);
            case "int", "float" -> buffer.getInt(at);
            case "long", "double" -> buffer.getLong(at);
            case "boolean" -> buffer.get(at) != 0 ? 1 : 0;
            default -> throw new AssertionError(type);
        };
    }
}
