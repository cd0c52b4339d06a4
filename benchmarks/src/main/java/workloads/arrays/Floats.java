package workloads.arrays;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Random;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;

/** An array of {@code float}. */
final class Floats implements Elements {
    private float[] array;

    Floats(int count) {
        array = new float[count];
    }

    @Override
    public int count() {
        return array.length;
    }

    @Override
    public int elementBytes() {
        return Float.BYTES;
    }

    @Override
    public void fill(Random random) {
        for (int i = 0; i < array.length; i++) {
            array[i] = random.nextFloat();
        }
    }

    @Override
    public boolean isSameAs(Elements other) {
        return Arrays.equals(array, ((Floats) other).array);
    }

    @Override
    public float[] array() {
        return array;
    }

    @Override
    public void take(Object received) {
        array = (float[]) received;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
        for (float each : array) {
            out.writeFloat(each);
        }
    }

    @Override
    public void read(DataInputStream in) throws IOException {
        for (int i = 0; i < array.length; i++) {
            array[i] = in.readFloat();
        }
    }

    @Override
    public void putEach(ByteBuffer into) {
        for (int i = 0; i < array.length; i++) {
            into.putFloat(i * Float.BYTES, array[i]);
        }
    }

    @Override
    public void getEach(ByteBuffer from) {
        for (int i = 0; i < array.length; i++) {
            array[i] = from.getFloat(i * Float.BYTES);
        }
    }

    @Override
    public Buffer view(ByteBuffer of) {
        return of.asFloatBuffer();
    }

    @Override
    public void putAll(Buffer view, int index, int count) {
        ((FloatBuffer) view).put(0, array, index, count);
    }

    @Override
    public void getAll(Buffer view, int index, int count) {
        ((FloatBuffer) view).get(0, array, index, count);
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
