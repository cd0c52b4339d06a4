package jfs.conformance.typed;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Random;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;

/** For each primitive type: arrays with contents, and the calls that write and read them. */
enum Slices {

    BOOLEAN {
        @Override
        void fill(Object array, Random random) {
            boolean[] it = (boolean[]) array;
            for (int i = 0; i < it.length; i++) {
                it[i] = random.nextBoolean();
            }
        }

        @Override
        void write(TypedOutput to, Object array, int offset, int count) throws IOException {
            to.write((boolean[]) array, offset, count);
        }

        @Override
        int read(TypedInput from, Object array, int offset, int count) throws IOException {
            return from.read((boolean[]) array, offset, count);
        }

        @Override
        void writeOne(DataOutputStream to, Object array, int index) throws IOException {
            to.writeBoolean(((boolean[]) array)[index]);
        }

        @Override
        void readOne(DataInputStream from, Object array, int index) throws IOException {
            ((boolean[]) array)[index] = from.readBoolean();
        }

        @Override
        void put(WriteClaim to, int index, Object array) {
            to.put(index, (boolean[]) array, 0, Array.getLength(array));
        }

        @Override
        void get(ReadClaim from, int index, Object array) {
            from.get(index, (boolean[]) array, 0, Array.getLength(array));
        }
    },
    BYTE {
        @Override
        void fill(Object array, Random random) {
            random.nextBytes((byte[]) array);
        }

        @Override
        void write(TypedOutput to, Object array, int offset, int count) throws IOException {
            if (count % 2 == 0) {
                to.write((byte[]) array, offset, count);
            } else {
                to.write(ByteBuffer.wrap((byte[]) array, offset, count));
            }
        }

        @Override
        int read(TypedInput from, Object array, int offset, int count) throws IOException {
            return count % 2 == 0 ? from.read((byte[]) array, offset, count) : from.read(ByteBuffer.wrap((byte[]) array, offset, count));
        }

        @Override
        void writeOne(DataOutputStream to, Object array, int index) throws IOException {
            to.writeByte(((byte[]) array)[index]);
        }

        @Override
        void readOne(DataInputStream from, Object array, int index) throws IOException {
            ((byte[]) array)[index] = from.readByte();
        }

        @Override
        void put(WriteClaim to, int index, Object array) {
            to.put(index, (byte[]) array, 0, Array.getLength(array));
        }

        @Override
        void get(ReadClaim from, int index, Object array) {
            from.get(index, (byte[]) array, 0, Array.getLength(array));
        }
    },
    CHAR {
        @Override
        void fill(Object array, Random random) {
            char[] it = (char[]) array;
            for (int i = 0; i < it.length; i++) {
                it[i] = (char) random.nextInt();
            }
        }

        @Override
        void write(TypedOutput to, Object array, int offset, int count) throws IOException {
            if (count % 2 == 0) {
                to.write((char[]) array, offset, count);
            } else {
                to.write(CharBuffer.wrap((char[]) array, offset, count));
            }
        }

        @Override
        int read(TypedInput from, Object array, int offset, int count) throws IOException {
            return count % 2 == 0 ? from.read((char[]) array, offset, count)
                    : from.read(CharBuffer.wrap((char[]) array, offset, count));
        }

        @Override
        void writeOne(DataOutputStream to, Object array, int index) throws IOException {
            to.writeChar(((char[]) array)[index]);
        }

        @Override
        void readOne(DataInputStream from, Object array, int index) throws IOException {
            ((char[]) array)[index] = from.readChar();
        }

        @Override
        void put(WriteClaim to, int index, Object array) {
            to.put(index, (char[]) array, 0, Array.getLength(array));
        }

        @Override
        void get(ReadClaim from, int index, Object array) {
            from.get(index, (char[]) array, 0, Array.getLength(array));
        }
    },
    SHORT {
        @Override
        void fill(Object array, Random random) {
            short[] it = (short[]) array;
            for (int i = 0; i < it.length; i++) {
                it[i] = (short) random.nextInt();
            }
        }

        @Override
        void write(TypedOutput to, Object array, int offset, int count) throws IOException {
            if (count % 2 == 0) {
                to.write((short[]) array, offset, count);
            } else {
                to.write(ShortBuffer.wrap((short[]) array, offset, count));
            }
        }

        @Override
        int read(TypedInput from, Object array, int offset, int count) throws IOException {
            return count % 2 == 0 ? from.read((short[]) array, offset, count)
                    : from.read(ShortBuffer.wrap((short[]) array, offset, count));
        }

        @Override
        void writeOne(DataOutputStream to, Object array, int index) throws IOException {
            to.writeShort(((short[]) array)[index]);
        }

        @Override
        void readOne(DataInputStream from, Object array, int index) throws IOException {
            ((short[]) array)[index] = from.readShort();
        }

        @Override
        void put(WriteClaim to, int index, Object array) {
            to.put(index, (short[]) array, 0, Array.getLength(array));
        }

        @Override
        void get(ReadClaim from, int index, Object array) {
            from.get(index, (short[]) array, 0, Array.getLength(array));
        }
    },
    INT {
        @Override
        void fill(Object array, Random random) {
            int[] it = (int[]) array;
            for (int i = 0; i < it.length; i++) {
                it[i] = random.nextInt();
            }
        }

        @Override
        void write(TypedOutput to, Object array, int offset, int count) throws IOException {
            if (count % 2 == 0) {
                to.write((int[]) array, offset, count);
            } else {
                to.write(IntBuffer.wrap((int[]) array, offset, count));
            }
        }

        @Override
        int read(TypedInput from, Object array, int offset, int count) throws IOException {
            return count % 2 == 0 ? from.read((int[]) array, offset, count)
                    : from.read(IntBuffer.wrap((int[]) array, offset, count));
        }

        @Override
        void writeOne(DataOutputStream to, Object array, int index) throws IOException {
            to.writeInt(((int[]) array)[index]);
        }

        @Override
        void readOne(DataInputStream from, Object array, int index) throws IOException {
            ((int[]) array)[index] = from.readInt();
        }

        @Override
        void put(WriteClaim to, int index, Object array) {
            to.put(index, (int[]) array, 0, Array.getLength(array));
        }

        @Override
        void get(ReadClaim from, int index, Object array) {
            from.get(index, (int[]) array, 0, Array.getLength(array));
        }
    },
    LONG {
        @Override
        void fill(Object array, Random random) {
            long[] it = (long[]) array;
            for (int i = 0; i < it.length; i++) {
                it[i] = random.nextLong();
            }
        }

        @Override
        void write(TypedOutput to, Object array, int offset, int count) throws IOException {
            if (count % 2 == 0) {
                to.write((long[]) array, offset, count);
            } else {
                to.write(LongBuffer.wrap((long[]) array, offset, count));
            }
        }

        @Override
        int read(TypedInput from, Object array, int offset, int count) throws IOException {
            return count % 2 == 0 ? from.read((long[]) array, offset, count)
                    : from.read(LongBuffer.wrap((long[]) array, offset, count));
        }

        @Override
        void writeOne(DataOutputStream to, Object array, int index) throws IOException {
            to.writeLong(((long[]) array)[index]);
        }

        @Override
        void readOne(DataInputStream from, Object array, int index) throws IOException {
            ((long[]) array)[index] = from.readLong();
        }

        @Override
        void put(WriteClaim to, int index, Object array) {
            to.put(index, (long[]) array, 0, Array.getLength(array));
        }

        @Override
        void get(ReadClaim from, int index, Object array) {
            from.get(index, (long[]) array, 0, Array.getLength(array));
        }
    },
    FLOAT {
        @Override
        void fill(Object array, Random random) {
            float[] it = (float[]) array;
            for (int i = 0; i < it.length; i++) {
                it[i] = random.nextFloat();
            }
        }

        @Override
        void write(TypedOutput to, Object array, int offset, int count) throws IOException {
            if (count % 2 == 0) {
                to.write((float[]) array, offset, count);
            } else {
                to.write(FloatBuffer.wrap((float[]) array, offset, count));
            }
        }

        @Override
        int read(TypedInput from, Object array, int offset, int count) throws IOException {
            return count % 2 == 0 ? from.read((float[]) array, offset, count)
                    : from.read(FloatBuffer.wrap((float[]) array, offset, count));
        }

        @Override
        void writeOne(DataOutputStream to, Object array, int index) throws IOException {
            to.writeFloat(((float[]) array)[index]);
        }

        @Override
        void readOne(DataInputStream from, Object array, int index) throws IOException {
            ((float[]) array)[index] = from.readFloat();
        }

        @Override
        void put(WriteClaim to, int index, Object array) {
            to.put(index, (float[]) array, 0, Array.getLength(array));
        }

        @Override
        void get(ReadClaim from, int index, Object array) {
            from.get(index, (float[]) array, 0, Array.getLength(array));
        }
    },
    DOUBLE {
        @Override
        void fill(Object array, Random random) {
            double[] it = (double[]) array;
            for (int i = 0; i < it.length; i++) {
                it[i] = random.nextDouble();
            }
        }

        @Override
        void write(TypedOutput to, Object array, int offset, int count) throws IOException {
            if (count % 2 == 0) {
                to.write((double[]) array, offset, count);
            } else {
                to.write(DoubleBuffer.wrap((double[]) array, offset, count));
            }
        }

        @Override
        int read(TypedInput from, Object array, int offset, int count) throws IOException {
            return count % 2 == 0 ? from.read((double[]) array, offset, count)
                    : from.read(DoubleBuffer.wrap((double[]) array, offset, count));
        }

        @Override
        void writeOne(DataOutputStream to, Object array, int index) throws IOException {
            to.writeDouble(((double[]) array)[index]);
        }

        @Override
        void readOne(DataInputStream from, Object array, int index) throws IOException {
            ((double[]) array)[index] = from.readDouble();
        }

        @Override
        void put(WriteClaim to, int index, Object array) {
            to.put(index, (double[]) array, 0, Array.getLength(array));
        }

        @Override
        void get(ReadClaim from, int index, Object array) {
            from.get(index, (double[]) array, 0, Array.getLength(array));
        }
    };

    /** An array with as many elements, which the seed decides. */
    Object random(int count, long seed) {
        Object array = zeros(count);
        fill(array, new Random(seed));
        return array;
    }

    Object zeros(int count) {
        return Array.newInstance(switch (this) {
            case BOOLEAN -> boolean.class;
            case BYTE -> byte.class;
            case CHAR -> char.class;
            case SHORT -> short.class;
            case INT -> int.class;
            case LONG -> long.class;
            case FLOAT -> float.class;
            case DOUBLE -> double.class;
        }, count);
    }

    abstract void fill(Object array, Random random);

    /** Writes by an array if the count is even, by a buffer if it is odd. */
    abstract void write(TypedOutput to, Object array, int offset, int count) throws IOException;

    /** Reads into an array if the count is even, into a buffer if it is odd. */
    abstract int read(TypedInput from, Object array, int offset, int count) throws IOException;

    abstract void writeOne(DataOutputStream to, Object array, int index) throws IOException;

    abstract void readOne(DataInputStream from, Object array, int index) throws IOException;

    /** Puts the whole array into a claim, from that byte of it on. */
    abstract void put(WriteClaim to, int index, Object array);

    /** Fills the array from a claim, from that byte of it on. */
    abstract void get(ReadClaim from, int index, Object array);

    /** The bytes of an element. */
    int bytes() {
        return switch (this) {
            case BOOLEAN, BYTE -> 1;
            case CHAR, SHORT -> 2;
            case INT, FLOAT -> 4;
            case LONG, DOUBLE -> 8;
        };
    }

    /** The bytes of all elements of an array. */
    int bytes(Object array) {
        return Array.getLength(array) * bytes();
    }

    /** Reads all elements, in parts of random lengths. */
    void readAll(TypedInput from, Object array, Random random) throws IOException {
        int length = Array.getLength(array);
        for (int done = 0; done < length;) {
            int n = read(from, array, done, 1 + random.nextInt(length - done));
            if (n < 1) {
                throw new AssertionError(n + " elements");
            }
            done += n;
        }
    }
}
