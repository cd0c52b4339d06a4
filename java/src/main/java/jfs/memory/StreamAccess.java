package jfs.memory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.Buffer;

/**
 * What the typed streams of {@code jfs.streams} do for the layouts of the module {@code jfs.buffers}, and for nobody else: elements go
 * straight between the places of a layout and the memory of a stream. It is not for programs, since it shows memory as a buffer. A buffer
 * can't be taken back, and the memory of a claim is not mapped any more after the connection has ended (CLAIM-1). So a caller copies at
 * once, and keeps no buffer.
 *
 * <p>{@code jfs.streams} has the only implementation. It sets it here before the first typed stream exists.
 */
public abstract class StreamAccess {

    private static volatile StreamAccess access;

    /** Sets the implementation. */
    public static void set(StreamAccess implementation) {
        access = implementation;
    }

    /** The implementation. It is there as soon as a typed stream is. */
    public static StreamAccess get() {
        return access;
    }

    /**
     * Writes elements as {@code out} writes those of an array.
     *
     * @param out a {@code TypedOutput} of {@code jfs.streams}
     * @param count the number of elements of the sequence
     */
    public abstract void write(OutputStream out, ElementType type, ElementSequence from, int count) throws IOException;

    /**
     * Reads elements as {@code in} reads all those of an array.
     *
     * @param in a {@code TypedInput} of {@code jfs.streams}
     * @param count the number of elements of the sequence
     */
    public abstract void readFully(InputStream in, ElementType type, ElementSequence into, int count) throws IOException;

    /**
     * Checks that the calling thread may use a part of a claim now.
     *
     * @param claim a {@code ReadClaim} or {@code WriteClaim} of {@code jfs.streams}
     * @param index of the part's first byte in the claim
     * @param bytes the length of the part
     * @return where the part begins in the memory, in bytes
     * @throws IllegalStateException if the claim is not open, or its memory is taken back
     * @throws IndexOutOfBoundsException if the part is not inside of the claim
     */
    public abstract int check(AutoCloseable claim, int index, long bytes);

    /**
     * A view of a claim's memory, as of {@link ElementViews#view}, in the byte order of the claim's stream. Allocates nothing but the first
     * time. The caller has checked the part, and sees to it that the claim stays reachable until it has copied.
     *
     * @param place what {@link #check} has returned
     */
    public abstract Buffer view(AutoCloseable claim, ElementType type, int place);
}
