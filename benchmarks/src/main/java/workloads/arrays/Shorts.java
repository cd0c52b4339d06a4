package workloads.arrays;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.Random;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;

/** An array of {@code short}. */
final class Shorts implements Elements {
    private short[] array;

    Shorts(int count) {
        array = new short[count];
    }

    @Override
    public int count() {
        return array.length;
    }

    @Override
    public int elementBytes() {
        return Short.BYTES;
    }

    @Override
    public void fill(Random random) {
        for (int i = 0; i < array.length; i++) {
            array[i] = (short) random.nextInt();
        }
    }

    @Override
    public boolean isSameAs(Elements other) {
        return Arrays.equals(array, ((Shorts) other).array);
    }

    @Override
    public short[] array() {
        return array;
    }

    @Override
    public void take(Object received) {
        array = (short[]) received;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
        for (short each : array) {
            out.writeShort(each);
        }
    }

    @Override
    public void read(DataInputStream in) throws IOException {
        for (int i = 0; i < array.length; i++) {
            array[i] = in.readShort();
        }
    }

    @Override
    public void putEach(ByteBuffer into) {
        for (int i = 0; i < array.length; i++) {
            into.putShort(i * Short.BYTES, array[i]);
        }
    }

    @Override
    public void getEach(ByteBuffer from) {
        for (int i = 0; i < array.length; i++) {
            array[i] = from.getShort(i * Short.BYTES);
        }
    }

    @Override
    public Buffer view(ByteBuffer of) {
        return of.asShortBuffer();
    }

    @Override
    public void putAll(Buffer view, int index, int count) {
        ((ShortBuffer) view).put(0, array, index, count);
    }

    @Override
    public void getAll(Buffer view, int index, int count) {
        ((ShortBuffer) view).get(0, array, index, count);
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
