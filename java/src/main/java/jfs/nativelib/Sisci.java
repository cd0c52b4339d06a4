package jfs.nativelib;

import java.nio.ByteBuffer;

/**
 * The SISCI calls that JFS uses, one native method each. Results are SCI error codes ({@link #OK} = 0); what a call
 * makes comes back in {@code out[0]} as an opaque handle that is valid until its remove/disconnect call. Handles are
 * thread-safe as far as the SISCI library is; using one after its end is the caller's fault.
 */
public final class Sisci {

    public static final int OK = 0;
    /** SCI_ERR_BUSY: something still uses it. */
    public static final int BUSY = 0x40000900;
    /** SCI_ERR_SEGMENTID_USED. */
    public static final int SEGMENTID_USED = 0x40000918;
    /** SCI_ERR_TIMEOUT and SCI_ERR_NO_SUCH_SEGMENT: a connection may succeed when it is tried again. */
    public static final int TIMEOUT = 0x4000090a;
    public static final int NO_SUCH_SEGMENT = 0x4000090c;
    /** SCI_ERR_INCONSISTENT_VERSIONS: the peer's library is of another version. */
    public static final int INCONSISTENT_VERSIONS = 0x4000091d;
    /** SCI_ERR_NOSPC, SCI_ERR_API_NOSPC and SCI_ERR_SYSTEM: there is not enough of something. */
    public static final int NOSPC = 0x40000904;
    public static final int API_NOSPC = 0x40000905;
    public static final int SYSTEM = 0x40000919;

    private Sisci() {
    }

    /**
     * Opens a library, finds all calls in it and begins to use it. One that can't be used changes nothing.
     *
     * @param path a file, or a name without a slash that the dynamic linker looks for
     * @param cards whether to refuse a library without a card, such as our shim
     * @return null, or why it can't be used: which call, of which file
     */
    static native String load(String path, boolean cards);

    /**
     * Whether all nodes are on this host and share its memory, as with our shim: then one segment serves both ends and
     * interrupts have descriptors. Otherwise a remote segment is behind a card: stores into it are posted, loads slow.
     */
    public static native boolean sharesMemory();

    /** Other users whose processes may connect to our segments and we to theirs, by number. */
    public static native void allowUsers(int[] users);

    /** The local node's id on adapter 0 in {@code out[0]}. */
    public static native int localNode(long[] out);

    /** In words; right after the failed call it names the system call that was refused, if it was one. */
    public static native String errorText(int error);

    /**
     * SCICreateSegment + SCIPrepareSegment.
     *
     * @param waker our interrupt which is {@linkplain #signal signalled} each time after a peer of the segment's has gone;
     *            0: none
     */
    public static native int createSegment(int id, long size, long waker, long[] out);

    /**
     * One more interrupt of ours that is {@linkplain #signal signalled} when the process at a segment's other end has gone.
     * That may have happened already: the caller looks at the {@linkplain #goneWord word} afterwards. It ends with the
     * interrupt.
     */
    public static native int addWaker(long segment, long waker);

    public static native int setAvailable(long segment);

    public static native int setUnavailable(long segment);

    /** From now on no second process gets a local segment's memory. Nothing happens if this library can't see to it. */
    public static native void admitOne(long segment);

    /** How many processes have connected to a local segment so far; -1 if this library doesn't count them. */
    public static native int connections(long segment);

    /**
     * Maps all of a local segment, for good: with our shim the descriptor behind it goes as soon as possible.
     *
     * @return the memory with the map's handle in {@code out[0]}, or null with the error there
     */
    public static native ByteBuffer mapLocal(long segment, long size, long[] out);

    /** Unmaps; nobody may touch the buffer from here on, so the last user calls this. */
    public static native int unmap(long map);

    /** SCIRemoveSegment. With a card {@link #BUSY} as long as a peer is connected, which may be writing there. */
    public static native int removeSegment(long segment);

    /**
     * SCIConnectSegment; blocks for at most {@code millis}. {@code out[0]} the handle, {@code out[1]} the size in bytes.
     *
     * @param waker as for {@link #createSegment}
     */
    public static native int connectSegment(int node, int id, int millis, long waker, long[] out);

    /**
     * The word, an int, that becomes 1 and stays so when the process at a segment's other end has gone or disconnected. It is
     * written with release order by the library's thread, and is there as long as the segment: until it is removed, or
     * disconnected.
     *
     * @return null with an OutOfMemoryError
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
     * @return whether all have
     */
    public static native boolean storesArrive(long sequence);

    public static native int removeSequence(long sequence);

    /**
     * A new interrupt: {@code out[0]} its handle, {@code out[1]} its number, {@code out[2]} the descriptor that polls
     * readable when it was triggered.
     *
     * @param event where the library {@linkplain #sharesMemory has} a descriptor of its own, nothing; else that of an event
     *            which each trigger signals, and which the caller clears, and closes after the interrupt's removal
     */
    public static native int createInterrupt(int event, long[] out);

    /**
     * SCIConnectInterrupt to an interrupt of ours with a descriptor of its own, which can then be {@linkplain #signal
     * signalled}. Once, before anybody else uses it.
     */
    public static native int connectSelf(long interrupt, int node);

    /** Makes the descriptor of an interrupt of ours poll readable; never blocks. */
    public static native void signal(long interrupt);

    /** Consumes pending triggers of an interrupt with a descriptor of its own; never blocks. */
    public static native void acknowledge(long interrupt);

    public static native int removeInterrupt(long interrupt);

    public static native int connectInterrupt(int node, int number, int millis, long[] out);

    /** Never blocks. */
    public static native int trigger(long remoteInterrupt);

    public static native int disconnectInterrupt(long remoteInterrupt);
}
