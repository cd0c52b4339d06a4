package jfs.mx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jfs.nativelib.Mx;

/**
 * The memory of one message. All buffers of a pool have the same length. A buffer is in one place at a time: in the pool, with MX
 * (from the start of a request to its completion), or in a channel's queue. Only the code that holds it there uses its bytes and
 * fields.
 */
final class MessageBuffer {

    /** The context of a request on this buffer. */
    final int id;
    final ByteBuffer bytes;
    /** The same bytes, for elements that a program puts here or takes. */
    final ByteBuffer inNativeOrder;
    final long address;
    /** Of the bytes that count: the offset of the first one, and the offset behind the last one. */
    int start;
    int end;
    /** Of a message that is sent: its channel, its kind, and once it is under way, its sequence. */
    MxChannel sender;
    Kind kind;
    int sequence;

    MessageBuffer(int id, int capacity) {
        this.id = id;
        this.bytes = ByteBuffer.allocateDirect(capacity).order(ByteOrder.BIG_ENDIAN);
        this.inNativeOrder = bytes.duplicate().order(ByteOrder.nativeOrder());
        this.address = Mx.address(bytes);
    }

    int length() {
        return end - start;
    }

    int room() {
        return bytes.capacity() - end;
    }

    /** Appends bytes that fit. */
    void put(byte[] from, int offset, int length) {
        bytes.put(end, from, offset, length);
        end += length;
    }

    /** As {@link #put(byte[], int, int)}, from a buffer of any kind. Its position does not count. */
    void put(ByteBuffer from, int offset, int length) {
        bytes.put(end, from, offset, length);
        end += length;
    }

    /** Appends the bytes of another buffer, which fit. */
    void put(MessageBuffer from) {
        bytes.put(end, from.bytes, from.start, from.length());
        end += from.length();
    }

    /** Takes bytes that are there. */
    void get(byte[] into, int offset, int length) {
        bytes.get(start, into, offset, length);
        start += length;
    }

    /** As {@link #get(byte[], int, int)}, into a buffer of any kind. Its position does not count. */
    void get(ByteBuffer into, int offset, int length) {
        into.put(offset, bytes, start, length);
        start += length;
    }

    void putLong(long value) {
        bytes.putLong(end, value);
        end += Long.BYTES;
    }

    /** Takes a number that is there. */
    long getLong() {
        long value = bytes.getLong(start);
        start += Long.BYTES;
        return value;
    }
}
