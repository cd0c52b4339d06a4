package jfs.streams;

import java.io.StreamCorruptedException;
import java.nio.ByteOrder;

/**
 * The mark by which a typed stream tells the byte order of its elements: 8 bytes, written once in each direction, in the order of the
 * writer. The reader converts where the two orders differ ("receiver makes right"). The order is thus known over TCP and by each path, and
 * two equal machines convert nothing.
 *
 * <pre>
 *   a little-endian writer    79 74 2d 73 66 6a 00 89
 *   a big-endian writer       89 00 6a 66 73 2d 74 79      89 00 "jfs-ty"
 * </pre>
 */
final class OrderMark {

    static final int BYTES = Long.BYTES;
    static final long VALUE = 0x89006a66732d7479L;

    private OrderMark() {
    }

    /** @param mark as read in native order */
    static ByteOrder order(long mark) throws StreamCorruptedException {
        ByteOrder here = ByteOrder.nativeOrder();
        if (mark == VALUE) {
            return here;
        }
        if (mark == Long.reverseBytes(VALUE)) {
            return here == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        }
        throw new StreamCorruptedException("the stream has 0x" + Long.toHexString(mark) + " where the mark of its byte order should be: "
                + "the peer writes no typed stream, or one with an order of its own");
    }
}
