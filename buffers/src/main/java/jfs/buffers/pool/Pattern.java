package jfs.buffers.pool;

import java.nio.ByteBuffer;

/** The bytes of free memory in a debugging pool. */
final class Pattern {

    private static final byte BYTE = (byte) 0xDB;
    private static final ByteBuffer FILLED = ByteBuffer.allocateDirect(4096);

    static {
        while (FILLED.hasRemaining()) {
            FILLED.put(BYTE);
        }
        FILLED.clear();
    }

    private Pattern() {
    }

    /** Writes the pattern. The limit of the memory plays no part. */
    static void fill(ByteBuffer memory, int offset, int bytes) {
        ByteBuffer whole = memory.duplicate().clear();
        for (int done = 0; done < bytes; ) {
            int piece = Math.min(bytes - done, FILLED.capacity());
            whole.put(offset + done, FILLED, 0, piece);
            done += piece;
        }
    }

    /** @return the first byte that is not as it was filled, -1 if all are */
    static int firstOther(ByteBuffer memory) {
        ByteBuffer whole = memory.duplicate().clear();
        for (int done = 0; done < whole.capacity(); ) {
            int piece = Math.min(whole.capacity() - done, FILLED.capacity());
            int at = whole.slice(done, piece).mismatch(FILLED.slice(0, piece));
            if (at >= 0) {
                return done + at;
            }
            done += piece;
        }
        return -1;
    }
}
