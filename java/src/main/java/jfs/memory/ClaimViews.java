package jfs.memory;

import java.nio.Buffer;

/**
 * Shows the memory of a claim of a typed stream as a buffer, so that code of JFS copies elements straight into it or out of it. Only the
 * module {@code jfs.buffers} uses this, for its layouts. It is not for programs: a buffer can't be taken back, and the memory of a claim is
 * not mapped any more after the connection has ended (CLAIM-1). So a caller copies at once, and keeps no buffer.
 *
 * <p>{@code jfs.streams} has the only implementation. It sets it here before the first claim exists.
 */
public abstract class ClaimViews {

    private static volatile ClaimViews views;

    /** Sets the implementation. */
    public static void set(ClaimViews implementation) {
        views = implementation;
    }

    /** The implementation. It is there as soon as a claim is. */
    public static ClaimViews get() {
        return views;
    }

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
     * A view of the memory, in the byte order of the claim's stream: a {@code DoubleBuffer} and so on; for bytes and {@code boolean} a
     * {@code ByteBuffer}. The element at {@code place} has the index {@code place / type.bytes()} there. Allocates nothing but the first
     * time. The caller has checked the part, and sees to it that the claim stays reachable until it has copied.
     *
     * @param place what {@link #check} has returned
     */
    public abstract Buffer view(AutoCloseable claim, ElementType type, int place);
}
