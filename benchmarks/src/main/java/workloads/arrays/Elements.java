package workloads.arrays;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Random;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;

/** A message: an array of a primitive type, and the calls by which programs send and receive such an array. */
interface Elements {
    /** The number of elements. */
    int count();

    /** The bytes of an element. */
    int elementBytes();

    default int bytes() {
        return count() * elementBytes();
    }

    void fill(Random random);

    boolean isSameAs(Elements other);

    /** The array itself. */
    Object array();

    /** Takes an array that was received as an object. */
    void take(Object received);

    // java.io: one element after the other.

    void write(DataOutputStream out) throws IOException;

    void read(DataInputStream in) throws IOException;

    // java.nio.

    /** Puts all elements at the beginning of the buffer, one after the other. */
    void putEach(ByteBuffer into);

    /** Gets all elements from the beginning of the buffer, one after the other. */
    void getEach(ByteBuffer from);

    /** A view of the whole buffer as elements of this type. */
    Buffer view(ByteBuffer of);

    /** Puts elements at the beginning of such a view, by one call. */
    void putAll(Buffer view, int index, int count);

    /** Gets elements from the beginning of such a view, by one call. */
    void getAll(Buffer view, int index, int count);

    // JFS.

    void write(TypedOutput out) throws IOException;

    void readFully(TypedInput in) throws IOException;

    /** Puts elements at the beginning of the claim, by one call. */
    void putAll(WriteClaim claim, int index, int count);

    /** Gets elements from the beginning of the claim, by one call. */
    void getAll(ReadClaim claim, int index, int count);
}
