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

/** An array of {@code byte}. */
final class Bytes implements Elements {
    private byte[] array;

    Bytes(int count) {
        array = new byte[count];
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
        random.nextBytes(array);
    }

    @Override
    public boolean isSameAs(Elements other) {
        return Arrays.equals(array, ((Bytes) other).array);
    }

    @Override
    public byte[] array() {
        return array;
    }

    @Override
    public void take(Object received) {
        array = (byte[]) received;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
        out.write(array);
    }

    @Override
    public void read(DataInputStream in) throws IOException {
        in.readFully(array);
    }

    @Override
    public void putEach(ByteBuffer into) {
        for (int i = 0; i < array.length; i++) {
            into.put(i, array[i]);
        }
    }

    @Override
    public void getEach(ByteBuffer from) {
        for (int i = 0; i < array.length; i++) {
            array[i] = from.get(i);
        }
    }

    @Override
    public Buffer view(ByteBuffer of) {
        return of.slice();
    }

    @Override
    public void putAll(Buffer view, int index, int count) {
        ((ByteBuffer) view).put(0, array, index, count);
    }

    @Override
    public void getAll(Buffer view, int index, int count) {
        ((ByteBuffer) view).get(0, array, index, count);
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
