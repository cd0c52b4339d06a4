package jfs.nativelib;

import java.nio.ByteBuffer;

/**
 * The SISCI calls that JFS uses, one native method each. Results are SCI error codes ({@link #OK} = 0). A call that makes
 * something returns it in {@code out[0]}, as an opaque handle that is valid until its remove or disconnect call. Handles are
 * as thread-safe as the SISCI library is. The caller must not use a handle after its end.
 */
public final class Sisci {

    public static final int OK = 0;
    /** SCI_ERR_BUSY: the object is still in use. */
    public static final int BUSY = 0x40000900;
    /** SCI_ERR_SEGMENTID_USED. */
    public static final int SEGMENTID_USED = 0x40000918;
    /** SCI_ERR_TIMEOUT and SCI_ERR_NO_SUCH_SEGMENT: a connection may succeed when it is tried again. */
    public static final int TIMEOUT = 0x4000090a;
    public static final int NO_SUCH_SEGMENT = 0x4000090c;
    /** SCI_ERR_INCONSISTENT_VERSIONS: the peer's library is of another version. */
    public static final int INCONSISTENT_VERSIONS = 0x4000091d;
    /** SCI_ERR_NOSPC, SCI_ERR_API_NOSPC and SCI_ERR_SYSTEM: there is not enough of some resource. */
    public static final int NOSPC = 0x40000904;
    public static final int API_NOSPC = 0x40000905;
    public static final int SYSTEM = 0x40000919;

    private Sisci() {
    }

    /**
     * Opens a library, finds all calls in it and begins to use it. If the library can't be used, the one in use stays as it was.
     *
     * @param path a file, or a name without a slash that the dynamic linker looks for
     * @param cards whether to refuse a library that works without a card, which is JFS's shim
     * @return null, or why the library can't be used: the call and the file
     */
    static native String load(String path, boolean cards);

    /**
     * Whether all nodes are on this host and share its memory, as with JFS's shim. If so, one segment serves both ends, and
     * interrupts have descriptors. Otherwise a remote segment is behind a card: stores into it are posted, and loads are slow.
     */
    public static native boolean sharesMemory();

    /** Sets the other users, by uid, whose processes may connect to this process's segments, and to whose segments it may connect. */
    public static native void allowUsers(int[] users);

    /** The local node's id on adapter 0 in {@code out[0]}. */
    public static native int localNode(long[] out);

    /** The error in words. Right after the failed call the text names the system call that was refused, if there was one. */
    public static native String errorText(int error);

    /**
     * SCICreateSegment + SCIPrepareSegment.
     *
     * @param waker an interrupt of this process that is {@linkplain #signal signalled} each time after a peer of the segment has
     *            gone; 0: none
     */
    public static native int createSegment(int id, long size, long waker, long[] out);

    /**
     * Adds an interrupt of this process that is {@linkplain #signal signalled} when the process at a segment's other end has
     * gone. That may have happened already, so the caller looks at the {@linkplain #goneWord word} afterwards. The effect ends
     * with the interrupt.
     */
    public static native int addWaker(long segment, long waker);

    public static native int setAvailable(long segment);

    public static native int setUnavailable(long segment);

    /** From now on no second process gets a local segment's memory. Does nothing if the library has no such call. */
    public static native void admitOne(long segment);

    /** How many processes have connected to a local segment so far; -1 if this library does not count them. */
    public static native int connections(long segment);

    /**
     * Maps all of a local segment, for the last time: JFS's shim closes the descriptor behind the segment as soon as possible.
     *
     * @return the memory, with the map's handle in {@code out[0]}; or null, with the error in {@code out[0]}
     */
    public static native ByteBuffer mapLocal(long segment, long size, long[] out);

    /** Unmaps. No thread may touch the buffer from here on, so the last user calls this. */
    public static native int unmap(long map);

    /**
     * SCIRemoveSegment. With a card the result is {@link #BUSY} as long as a peer is connected, which may be writing there: the library
     * says so, or JFS itself where the library would remove the segment.
     */
    public static native int removeSegment(long segment);

    /** The processes that are connected to a local segment have died: {@link #removeSegment} does not wait for them to leave. */
    public static native void peersHaveDied(long segment);

    /**
     * SCIConnectSegment; blocks for at most {@code millis}, or for 100 if that is more (JFS's own library). {@code out[0]} the handle,
     * {@code out[1]} the size in bytes.
     *
     * @param waker as for {@link #createSegment}
     */
    public static native int connectSegment(int node, int id, int millis, long waker, long[] out);

    /**
     * The word, an int, that becomes 1 and stays 1 when the process at a segment's other end has gone or disconnected. A thread
     * of the library writes it with release order. The word exists until the segment is removed or disconnected.
     *
     * @return the word; an OutOfMemoryError is thrown if there is no memory for the buffer
     */
    public static native ByteBuffer goneWord(long segment);

    public static native ByteBuffer mapRemote(long segment, long size, long[] out);

    public static native int disconnectSegment(long segment);

    /**
     * SCICreateMapSequence + SCIStartSequence for the map of a remote segment; {@code out[0]} is 0 if the library has no
     * sequences.
     */
    public static native int createSequence(long map, long[] out);

    /**
     * SCIStoreBarrier + SCICheckSequence: returns when the stores through the sequence's map have arrived.
     *
     * @return whether all of them have
     */
    public static native boolean storesArrive(long sequence);

    public static native int removeSequence(long sequence);

    /**
     * Makes an interrupt: {@code out[0]} is its handle, {@code out[1]} its number, {@code out[2]} the descriptor that polls
     * readable when the interrupt was triggered.
     *
     * @param event ignored where the library {@linkplain #sharesMemory has} a descriptor of its own; else the descriptor of an
     *            event that each trigger signals. The caller clears the event, and closes it after the interrupt's removal
     */
    public static native int createInterrupt(int event, long[] out);

    /**
     * SCIConnectInterrupt to an interrupt of this process with a descriptor of its own, which can then be {@linkplain #signal
     * signalled}. Called once, before any other thread uses the interrupt.
     */
    public static native int connectSelf(long interrupt, int node);

    /** Makes the descriptor of an interrupt of this process poll readable. Never blocks. */
    public static native void signal(long interrupt);

    /** Consumes pending triggers of an interrupt with a descriptor of its own. Never blocks. */
    public static native void acknowledge(long interrupt);

    public static native int removeInterrupt(long interrupt);

    public static native int connectInterrupt(int node, int number, int millis, long[] out);

    /** Never blocks. */
    public static native int trigger(long remoteInterrupt);

    public static native int disconnectInterrupt(long remoteInterrupt);
}
