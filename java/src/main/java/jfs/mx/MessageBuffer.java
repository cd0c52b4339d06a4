package jfs.mx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jfs.nativelib.Mx;

/**
 * The memory of one message, of the length that the pool's all have. It is in one place at a time: the pool, MX (from the
 * start of a request to its completion), a channel's queue. Only who has it there looks at its bytes and fields.
 */
final class MessageBuffer {

    /** What a request on it is known by. */
    final int id;
    final ByteBuffer bytes;
    final long address;
    /** Of the bytes that count: the first one's offset, the offset behind the last one. */
    int start;
    int end;
    /** Sending: whose it is, what kind of message, and once it is under way, its place among its sender's. */
    MxChannel sender;
    Kind kind;
    int sequence;

    MessageBuffer(int id, int capacity) {
        this.id = id;
        this.bytes = ByteBuffer.allocateDirect(capacity).order(ByteOrder.BIG_ENDIAN);
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

    /** Appends another one's bytes, which fit. */
    void put(MessageBuffer from) {
        bytes.put(end, from.bytes, from.start, from.length());
        end += from.length();
    }

    /** Takes bytes that are there. */
    void get(byte[] into, int offset, int length) {
        bytes.get(start, into, offset, length);
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
