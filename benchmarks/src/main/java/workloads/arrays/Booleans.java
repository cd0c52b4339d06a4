package workloads.arrays;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;

/**
 * An array of {@code boolean}. {@code java.nio} has no view of such elements, so only the ways without a view exist. An element is a byte,
 * 1 or 0, as of {@link DataOutputStream}.
 */
final class Booleans implements Elements {
    private boolean[] array;

    Booleans(int count) {
        array = new boolean[count];
    }

    @Override
    public int count() {
        return array.length;
    }

    @Override
    public int elementBytes() {
        return Byte.BYTES;
    }

    @Override
    public void fill(Random random) {
        for (int i = 0; i < array.length; i++) {
            array[i] = random.nextBoolean();
        }
    }

    @Override
    public boolean isSameAs(Elements other) {
        return Arrays.equals(array, ((Booleans) other).array);
    }

    @Override
    public boolean[] array() {
        return array;
    }

    @Override
    public void take(Object received) {
        array = (boolean[]) received;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
        for (boolean each : array) {
            out.writeBoolean(each);
        }
    }

    @Override
    public void read(DataInputStream in) throws IOException {
        for (int i = 0; i < array.length; i++) {
            array[i] = in.readBoolean();
        }
    }

    @Override
    public void putEach(ByteBuffer into) {
        for (int i = 0; i < array.length; i++) {
            into.put(i, (byte) (array[i] ? 1 : 0));
        }
    }

    @Override
    public void getEach(ByteBuffer from) {
        for (int i = 0; i < array.length; i++) {
            array[i] = from.get(i) != 0;
        }
    }

    private static UnsupportedOperationException noView() {
        return new UnsupportedOperationException("java.nio has no view of a buffer as boolean");
    }

    @Override
    public Buffer view(ByteBuffer of) {
        throw noView();
    }

    @Override
    public void putAll(Buffer view, int index, int count) {
        throw noView();
    }

    @Override
    public void getAll(Buffer view, int index, int count) {
        throw noView();
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
