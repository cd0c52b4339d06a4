package jfs.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jfs.nativelib.Posix;
import jfs.nativelib.Words;
import jfs.spi.Claim;
import jfs.spi.FutexWords;

/**
 * A window onto memory that another process writes too. Offsets are bytes from the window's start; words must be
 * naturally aligned. Integers are in the machine's byte order: both ends run on one machine, or on a fabric of like
 * machines (the word MAGIC of an inbox tells).
 *
 * <p>The caller must not trust a value from here, or read it twice. It copies the value once and then checks the copy.
 *
 * <p>Stores into memory behind a card are {@linkplain PostedStores posted}. A releasing store there waits until all stores before it
 * have arrived, and then until it has arrived itself. When it returns, its reader can see it. So the order of stores, and the
 * full fence between a store and a load, mean the same there as in this host's memory (CARD-1). A load from such memory takes
 * long, so there are loads only while a connection is set up.
 *
 * <p>The buffer underneath checks bounds, so a wrong offset gives an exception and not a crash. Whether the memory is still
 * mapped is not checked: the code that unmaps it must know that no thread is inside (see {@code jfs.transport.sci.Lease}).
 */
public final class Shared {

    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Whether this kernel lets a thread sleep at two words. 0: the kernel was not asked yet; 1: it does; -1: it does not. */
    private static volatile int canSleep;

    private final ByteBuffer buffer;
    /** Null for this host's memory. */
    private final PostedStores posted;

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
    public Shared(ByteBuffer memory, int offset, int length, PostedStores posted) {
        this.buffer = memory.slice(offset, length).order(ByteOrder.nativeOrder());
        this.posted = posted;
    }

    /** Everything that the other side wrote before it released this value is visible afterwards. */
    public int getIntAcquire(int offset) {
        return (int) INT.getAcquire(buffer, offset);
    }

    /** As {@link #getIntAcquire(int)}. */
    public long getLongAcquire(int offset) {
        return (long) LONG.getAcquire(buffer, offset);
    }

    /** Everything that was written before is visible to a thread that acquires this value. */
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

    /** Atomic, with a full fence on both sides. Behind a card it is a load and a store, so two callers may both succeed. */
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

    /** Atomic, with a full fence on both sides. Not for memory behind a card. */
    public boolean compareAndSetLong(int offset, long expected, long value) {
        return LONG.compareAndSet(buffer, offset, expected, value);
    }

    /** The window's length in bytes. */
    public int length() {
        return buffer.capacity();
    }

    /** Without order: only before the memory is shared, or for a value that was published before a word that the caller has acquired. */
    public int getInt(int offset) {
        return (int) INT.get(buffer, offset);
    }

    /** As {@link #getInt(int)}. */
    public long getLong(int offset) {
        return (long) LONG.get(buffer, offset);
    }

    /** Without order: the releasing store that follows publishes the value. */
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
            if (length > Long.BYTES) { // the last 8 bytes, which overlap the first 8
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

    /** As {@link #put(int, byte[], int, int)}, from a buffer of any kind. Its position and limit stay as they are, and do not count. */
    public void put(int offset, ByteBuffer from, int index, int length) {
        if (isShort(length)) {
            LONG.set(buffer, offset, (long) LONG.get(from, index));
            if (length > Long.BYTES) {
                LONG.set(buffer, offset + length - Long.BYTES, (long) LONG.get(from, index + length - Long.BYTES));
            }
        } else {
            buffer.put(offset, from, index, length);
        }
    }

    /** As {@link #get(int, byte[], int, int)}, into a buffer of any kind. Its position and limit stay as they are, and do not count. */
    public void get(int offset, ByteBuffer into, int index, int length) {
        if (isShort(length)) {
            LONG.set(into, index, (long) LONG.get(buffer, offset));
            if (length > Long.BYTES) {
                LONG.set(into, index + length - Long.BYTES, (long) LONG.get(buffer, offset + length - Long.BYTES));
            }
        } else {
            into.put(index, buffer, offset, length);
        }
    }

    /** Whether one or two words are enough. They take less time than a call of the JVM's copying routine. */
    private static boolean isShort(int length) {
        return length >= Long.BYTES && length <= 2 * Long.BYTES;
    }

    /**
     * Looks at two words until one of them holds another value or the time is over, in one native call. {@link Words#awaitChange}
     * describes the parameters and the result.
     */
    public long watch(int wide, long wideValue, int narrow, int narrowValue, long nanos, long alone, long lost) {
        return Words.awaitChange(buffer, wide, wideValue, narrow, narrowValue, nanos, alone, lost);
    }

    /**
     * Puts the calling thread to sleep while the word holds that value and {@code own} is announced. The sleep ends when the peer
     * {@linkplain #wakeSleepers wakes} the threads that sleep at the word, when a thread of this process wakes {@code own}, or when the
     * time is over. The wake-up may be spurious. The kernel compares both words and puts the thread to sleep in one step. Only in
     * memory of this host.
     *
     * @param nanos longest sleep in nanoseconds; negative: no limit
     * @return false if the kernel refuses: it is older than Linux 5.16, a filter forbids the call, or no thread can sleep in memory of
     *         that kind
     */
    public boolean sleepWhile(int offset, int value, WakeWord own, long nanos) {
        int status = Posix.futexWait(buffer, offset, value, own.bytes, WakeWord.ASLEEP, nanos);
        return status == 0 || status == -Posix.EAGAIN || status == -Posix.ETIMEDOUT;
    }

    /** Adds the word to those at which a thread will sleep. The word may be unmapped meanwhile. */
    public void addTo(FutexWords words, int offset, int value) {
        words.add(buffer, offset, value);
    }

    /** Shows a piece of the window to a caller that puts bytes there or takes them itself, without order. Offset and length in bytes. */
    public void show(Claim into, int offset, int length) {
        into.set(buffer, offset, length);
    }

    /** Whether this kernel lets a thread {@linkplain #sleepWhile sleep at two words}. The first call asks the kernel, later ones don't. */
    public static boolean canSleep() {
        int known = canSleep;
        if (known == 0) { // the word does not hold ASLEEP, so the kernel does not put the thread to sleep
            WakeWord word = new WakeWord();
            boolean can = Posix.futexWait(word.bytes, 0, WakeWord.ASLEEP, word.bytes, WakeWord.ASLEEP, 0) == -Posix.EAGAIN;
            canSleep = known = can ? 1 : -1;
        }
        return known > 0;
    }

    /** Wakes all threads, of both processes, that sleep at the word. Called after the word was changed. Never blocks. */
    public void wakeSleepers(int offset) {
        Posix.futexWake(buffer, offset, false);
    }

    /**
     * Puts every earlier store before every later load (ORDER-1). The publisher calls it between the store of its news and the
     * look at the asleep word. The sleeper calls it between the store of its announcement and the look for news. Without the
     * fences each may miss the other's store, because x86 too lets a load overtake an earlier store.
     */
    public static void fullFence() {
        VarHandle.fullFence();
    }
}
