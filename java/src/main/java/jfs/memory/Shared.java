package jfs.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jfs.nativelib.Posix;
import jfs.nativelib.Words;

/**
 * A window onto memory that another process writes too. Offsets are bytes from the window's start; words must be
 * naturally aligned. Integers are in the machine's byte order: both ends run on one machine, or on a fabric of like
 * machines (the region header's magic tells).
 *
 * <p>Nothing read here may be trusted or read twice: the caller copies a value once and then checks its copy.
 *
 * <p>In memory behind a card, whose stores are {@linkplain Posted posted}, a releasing store waits for what comes before it
 * to arrive, and then for itself: it returns when its reader can see it. So the order of stores, and the full fence
 * between a store and a load, mean there what they mean in this host's memory (CARD-1). A load of it takes long; none is
 * made but to set up.
 *
 * <p>Bounds are checked by the buffer underneath, so a wrong offset is an exception and not a crash. Being unmapped is
 * not checked: who unmaps must know that nobody is inside (see {@code jfs.transport.sci.Lease}).
 */
public final class Shared {

    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** 0: not asked yet; then 1, or -1 if it does not. */
    private static volatile int canSleep;

    private final ByteBuffer buffer;
    /** Null for this host's memory. */
    private final Posted posted;

    /**
     * @param memory a direct buffer (heap buffers give no atomic access); the window covers [offset, offset + length)
     */
    public Shared(ByteBuffer memory, int offset, int length) {
        this(memory, offset, length, null);
    }

    /**
     * @param memory a direct buffer; the window covers [offset, offset + length)
     * @param posted for memory behind a card, else null
     */
    public Shared(ByteBuffer memory, int offset, int length, Posted posted) {
        this.buffer = memory.slice(offset, length).order(ByteOrder.nativeOrder());
        this.posted = posted;
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
        if (posted == null) {
            INT.setRelease(buffer, offset, value);
        } else if (posted.arrive()) {
            INT.setRelease(buffer, offset, value);
            posted.arrive();
        }
    }

    /** As {@link #setIntRelease(int, int)}. */
    public void setLongRelease(int offset, long value) {
        if (posted == null) {
            LONG.setRelease(buffer, offset, value);
        } else if (posted.arrive()) {
            LONG.setRelease(buffer, offset, value);
            posted.arrive();
        }
    }

    /** Atomic exchange with a full fence on both sides. */
    public int getAndSetInt(int offset, int value) {
        return (int) INT.getAndSet(buffer, offset, value);
    }

    /** Atomic, with a full fence on both sides; but behind a card, which is not asked for that, two may both succeed. */
    public boolean compareAndSetInt(int offset, int expected, int value) {
        if (posted == null) {
            return INT.compareAndSet(buffer, offset, expected, value);
        }
        if (getIntAcquire(offset) != expected) {
            return false;
        }
        setIntRelease(offset, value);
        return true;
    }

    /** Atomic, with a full fence on both sides. Not behind a card. */
    public boolean compareAndSetLong(int offset, long expected, long value) {
        return LONG.compareAndSet(buffer, offset, expected, value);
    }

    /** Bytes. */
    public int length() {
        return buffer.capacity();
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
        if (isShort(length)) {
            LONG.set(buffer, offset, (long) BYTES.get(from, index));
            if (length > Long.BYTES) { // its last 8 bytes, which overlap the first
                LONG.set(buffer, offset + length - Long.BYTES, (long) BYTES.get(from, index + length - Long.BYTES));
            }
        } else {
            buffer.put(offset, from, index, length);
        }
    }

    /** Copies out of the window, without order. */
    public void get(int offset, byte[] into, int index, int length) {
        if (isShort(length)) {
            BYTES.set(into, index, (long) LONG.get(buffer, offset));
            if (length > Long.BYTES) {
                BYTES.set(into, index + length - Long.BYTES, (long) LONG.get(buffer, offset + length - Long.BYTES));
            }
        } else {
            buffer.get(offset, into, index, length);
        }
    }

    /** One or two words: less than the JVM's copying routine takes to be called. */
    private static boolean isShort(int length) {
        return length >= Long.BYTES && length <= 2 * Long.BYTES;
    }

    /**
     * Looks at two words until one of them holds another value, or for a time in nanoseconds, in one native call: {@link Words#watch} has
     * the parameters and the result.
     */
    public long watch(int wide, long wideValue, int narrow, int narrowValue, long nanos, long alone, long lost) {
        return Words.awaitChange(buffer, wide, wideValue, narrow, narrowValue, nanos, alone, lost);
    }

    /**
     * Sleeps while the word holds that value and {@code own} is announced: until the peer {@linkplain #wakeSleepers wakes} the threads
     * that sleep there, a thread of this process wakes {@code own}, or the time is over. May return early without a cause. The kernel
     * compares both words and puts the thread to sleep in one step. Only in memory of this host.
     *
     * @param nanos longest sleep, nanoseconds; negative for ever
     * @return false if the kernel refuses: it is older than Linux 5.16, a filter forbids the call, or no thread can sleep in memory of
     *         that kind
     */
    public boolean sleepWhile(int offset, int value, WakeWord own, long nanos) {
        int status = Posix.futexWait(buffer, offset, value, own.bytes, WakeWord.ASLEEP, nanos);
        return status == 0 || status == -Posix.EAGAIN || status == -Posix.ETIMEDOUT;
    }

    /** Whether this kernel lets a thread {@linkplain #sleepWhile sleep at two words}. It is asked once, and not before it matters. */
    public static boolean canSleep() {
        int known = canSleep;
        if (known == 0) { // the word holds something else, so the kernel does not put the thread to sleep
            WakeWord word = new WakeWord();
            boolean can = Posix.futexWait(word.bytes, 0, WakeWord.ASLEEP, word.bytes, WakeWord.ASLEEP, 0) == -Posix.EAGAIN;
            canSleep = known = can ? 1 : -1;
        }
        return known > 0;
    }

    /** Wakes all threads, of both processes, that sleep at the word, after it was changed. Never blocks. */
    public void wakeSleepers(int offset) {
        Posix.futexWake(buffer, offset, false);
    }

    /**
     * Puts every earlier store before every later load (ORDER-1): between "here is news" and "is anybody asleep", and on
     * the other side between "I am asleep" and "is there news". Without it both may miss the other, since x86 too lets
     * a load overtake an earlier store.
     */
    public static void fullFence() {
        VarHandle.fullFence();
    }
}
