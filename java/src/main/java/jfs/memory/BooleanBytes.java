package jfs.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies {@code boolean} elements between arrays and bytes in memory. No class of the JDK copies a slice of a {@code boolean[]} to bytes,
 * so a loop has to. The loops here run over a {@code byte[]} of one piece, and the JDK copies between this piece and the memory. Loops over
 * the memory itself take longer (docs/performance/typed.md).
 *
 * <p>One thread at a time. The first copy allocates the piece. The copies make no garbage.
 */
final class BooleanBytes {

    /** The bytes of a piece: a multiple of {@link Long#BYTES}, and so few that the piece stays in the processor's first cache. */
    private static final int PIECE = 2048;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private byte[] piece;

    /** Stores 1 for true and 0 for false. @param offset in the memory, in bytes */
    void put(ByteBuffer memory, int offset, boolean[] from, int index, int count) {
        byte[] bytes = piece();
        for (int done = 0, n; done < count; done += n) {
            n = Math.min(count - done, PIECE);
            for (int i = 0; i < n; i++) {
                bytes[i] = (byte) (from[index + done + i] ? 1 : 0);
            }
            memory.put(offset + done, bytes, 0, n);
        }
    }

    /** Loads false for 0, and true for each other value. @param offset in the memory, in bytes */
    void get(ByteBuffer memory, int offset, boolean[] into, int index, int count) {
        byte[] bytes = piece();
        for (int done = 0, n; done < count; done += n) {
            n = Math.min(count - done, PIECE);
            memory.get(offset + done, bytes, 0, n);
            makeOnes(bytes, n);
            for (int i = 0; i < n; i++) {
                into[index + done + i] = (bytes[i] & 1) != 0; // the lowest bit alone: a comparison of the byte with 0 takes longer
            }
        }
    }

    /**
     * Sets each byte that is not 0 to 1, eight at a time: the addition carries into a byte's highest bit if one of its lower bits is set.
     * May change bytes behind the first {@code n} too.
     */
    private static void makeOnes(byte[] bytes, int n) {
        for (int i = 0; i < n; i += Long.BYTES) {
            long eight = (long) LONGS.get(bytes, i);
            long high = ((eight & 0x7f7f7f7f7f7f7f7fL) + 0x7f7f7f7f7f7f7f7fL) | eight;
            LONGS.set(bytes, i, (high >>> 7) & 0x0101010101010101L);
        }
    }

    private byte[] piece() {
        if (piece == null) {
            piece = new byte[PIECE];
        }
        return piece;
    }
}
