package jfs.spi;

import java.nio.ByteBuffer;

/**
 * A piece of a path's own memory in which a caller puts the next bytes of a stream, or finds them, without a copy in between. The caller
 * makes one and uses it again and again. The path {@linkplain #set fills} it in.
 *
 * <p>The piece is the path's. The caller uses it only under the lock of the direction, and not after the {@code commit} or {@code release}
 * that ends the claim. Before the path frees the memory of a half that is retired, it {@linkplain #clear clears} what it has shown.
 */
public final class Claim {

    private ByteBuffer memory;
    private int offset;
    private int length;

    /**
     * Called by the path.
     *
     * @param memory a direct buffer in native order, in which the piece lies. Its position and limit do not count. The memory has to
     *            stay mapped and keep its length until the claim is over, whatever a peer does. So it must not be that of a file which a
     *            peer can shorten: native code may copy it, and a page that is gone would end the JVM then (BLOCKS-1)
     * @param offset where the piece begins, in bytes from the buffer's start
     * @param length the bytes of the piece
     */
    public void set(ByteBuffer memory, int offset, int length) {
        this.memory = memory;
        this.offset = offset;
        this.length = length;
    }

    /** There is no piece. */
    public void clear() {
        set(null, 0, 0);
    }

    /** Null if there is no piece. */
    public ByteBuffer memory() {
        return memory;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }
}
