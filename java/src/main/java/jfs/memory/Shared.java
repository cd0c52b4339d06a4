package jfs.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A window onto memory that another process writes too. Offsets are bytes from the window's start; words must be
 * naturally aligned. Integers are in the machine's byte order: both ends run on one machine, or on a fabric of like
 * machines (the region header's magic tells).
 *
 * <p>Nothing read here may be trusted or read twice: the caller copies a value once and then checks its copy.
 *
 * <p>Bounds are checked by the buffer underneath, so a wrong offset is an exception and not a crash. Being unmapped is
 * not checked: who unmaps must know that nobody is inside (see {@code jfs.transport.sci.Lease}).
 */
public final class Shared {

    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer buffer;

    /**
     * @param memory a direct buffer (heap buffers give no atomic access); the window covers [offset, offset + length)
     */
    public Shared(ByteBuffer memory, int offset, int length) {
        this.buffer = memory.slice(offset, length).order(ByteOrder.nativeOrder());
    }

    /** Everything the other side wrote before it released this word is visible afterwards. */
    public int getIntAcquire(int offset) {
        return (int) INT.getAcquire(buffer, offset);
    }

    /** As {@link #getIntAcquire(int)}. */
    public long getLongAcquire(int offset) {
        return (long) LONG.getAcquire(buffer, offset);
    }

    /** Everything written before is visible to whoever acquires this value. */
    public void setIntRelease(int offset, int value) {
        INT.setRelease(buffer, offset, value);
    }

    /** As {@link #setIntRelease(int, int)}. */
    public void setLongRelease(int offset, long value) {
        LONG.setRelease(buffer, offset, value);
    }

    /** Atomic exchange with a full fence on both sides. */
    public int getAndSetInt(int offset, int value) {
        return (int) INT.getAndSet(buffer, offset, value);
    }

    /** Without order: only before the memory is shared, or for a value that an acquired word covers. */
    public int getInt(int offset) {
        return (int) INT.get(buffer, offset);
    }

    /** As {@link #getInt(int)}. */
    public long getLong(int offset) {
        return (long) LONG.get(buffer, offset);
    }

    /** Without order: the releasing store that follows publishes it. */
    public void setInt(int offset, int value) {
        INT.set(buffer, offset, value);
    }

    /** As {@link #setInt(int, int)}. */
    public void setLong(int offset, long value) {
        LONG.set(buffer, offset, value);
    }

    /** Copies into the window, without order. */
    public void put(int offset, byte[] from, int index, int length) {
        buffer.put(offset, from, index, length);
    }

    /** Copies out of the window, without order. */
    public void get(int offset, byte[] into, int index, int length) {
        buffer.get(offset, into, index, length);
    }

    /**
     * Puts every earlier store before every later load (R10): between "here is news" and "is anybody asleep", and on
     * the other side between "I am asleep" and "is there news". Without it both may miss the other, since x86 too lets
     * a load overtake an earlier store.
     */
    public static void fullFence() {
        VarHandle.fullFence();
    }
}
