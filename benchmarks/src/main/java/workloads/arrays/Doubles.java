package workloads.arrays;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Random;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;

/** An array of {@code double}. */
final class Doubles implements Elements {
    private double[] array;

    Doubles(int count) {
        array = new double[count];
    }

    @Override
    public int count() {
        return array.length;
    }

    @Override
    public int elementBytes() {
        return Double.BYTES;
    }

    @Override
    public void fill(Random random) {
        for (int i = 0; i < array.length; i++) {
            array[i] = random.nextDouble();
        }
    }

    @Override
    public boolean isSameAs(Elements other) {
        return Arrays.equals(array, ((Doubles) other).array);
    }

    @Override
    public double[] array() {
        return array;
    }

    @Override
    public void take(Object received) {
        array = (double[]) received;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
        for (double each : array) {
            out.writeDouble(each);
        }
    }

    @Override
    public void read(DataInputStream in) throws IOException {
        for (int i = 0; i < array.length; i++) {
            array[i] = in.readDouble();
        }
    }

    @Override
    public void putEach(ByteBuffer into) {
        for (int i = 0; i < array.length; i++) {
            into.putDouble(i * Double.BYTES, array[i]);
        }
    }

    @Override
    public void getEach(ByteBuffer from) {
        for (int i = 0; i < array.length; i++) {
            array[i] = from.getDouble(i * Double.BYTES);
        }
    }

    @Override
    public Buffer view(ByteBuffer of) {
        return of.asDoubleBuffer();
    }

    @Override
    public void putAll(Buffer view, int index, int count) {
        ((DoubleBuffer) view).put(0, array, index, count);
    }

    @Override
    public void getAll(Buffer view, int index, int count) {
        ((DoubleBuffer) view).get(0, array, index, count);
    }

    @Override
    public void write(TypedOutput out) throws IOException {
        out.write(array);
    }

    @Override
    public void readFully(TypedInput in) throws IOException {
        in.readFully(array);
    }

    @Override
    public void putAll(WriteClaim claim, int index, int count) {
        claim.put(0, array, index, count);
    }

    @Override
    public void getAll(ReadClaim claim, int index, int count) {
        claim.get(0, array, index, count);
    }
}
