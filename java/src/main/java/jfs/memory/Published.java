package jfs.memory;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory that this process writes and other processes only read: the table of {@code jfs.monitor}. Offsets are bytes from its start.
 * Integers are in the machine's byte order, and their offsets are multiples of their size. Of such an integer in a direct buffer the JVM
 * makes one store, so a reader never sees a part of one.
 *
 * <p>Values that belong together change between {@link #beginChange} and {@link #endChange}, which make a sequence number odd and even
 * (MONITOR-1). A store fence stands behind the odd number, so no store of the change comes before it. Another one stands in front of the
 * even number, so no store of the change comes behind it. A reader that sees the same even number before and after it has read, with a
 * load fence at either side, has therefore read no change. All stores of a sequence number are made by one thread at a time.
 *
 * <p>No VarHandle of a buffer is used here, unlike in {@link Shared}: a young JVM needs 2 ms to make one, and every process with a socket
 * writes here.
 */
public final class Published {

    private final ByteBuffer buffer;

    /** @param buffer the whole of it, whatever its position and limit. Direct, unless no other process reads it */
    public Published(ByteBuffer buffer) {
        this.buffer = buffer.duplicate().clear().order(ByteOrder.nativeOrder());
    }

    public int getInt(int offset) {
        return buffer.getInt(offset);
    }

    public long getLong(int offset) {
        return buffer.getLong(offset);
    }

    public void setInt(int offset, int value) {
        buffer.putInt(offset, value);
    }

    public void setLong(int offset, long value) {
        buffer.putLong(offset, value);
    }

    /** Not atomic: one thread at a time adds to a word. */
    public void add(int offset, long more) {
        buffer.putLong(offset, buffer.getLong(offset) + more);
    }

    /** As {@link #add}, for an integer of 4 bytes. */
    public void increment(int offset) {
        buffer.putInt(offset, buffer.getInt(offset) + 1);
    }

    public void put(int offset, byte[] from, int length) {
        buffer.put(offset, from, 0, length);
    }

    /** @param sequence the offset of the sequence number */
    public void beginChange(int sequence) {
        buffer.putInt(sequence, buffer.getInt(sequence) | 1);
        VarHandle.storeStoreFence();
    }

    /** Ends the change that {@link #beginChange} began. */
    public void endChange(int sequence) {
        VarHandle.storeStoreFence();
        buffer.putInt(sequence, buffer.getInt(sequence) + 1);
    }

    /** Puts every earlier store before every later one. */
    public static void storeFence() {
        VarHandle.storeStoreFence();
    }

    /** Puts every earlier load before every later one. For readers. */
    public static void loadFence() {
        VarHandle.loadLoadFence();
    }
}
