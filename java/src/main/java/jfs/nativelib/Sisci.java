package jfs.nativelib;

import java.nio.ByteBuffer;

/**
 * The SISCI calls that JFS uses, one native method each. Results are SCI error codes ({@link #OK} = 0); what a call
 * makes comes back in {@code out[0]} as an opaque handle that is valid until its remove/disconnect call. Handles are
 * thread-safe as far as the SISCI library is; using one after its end is the caller's fault.
 */
public final class Sisci {

    public static final int OK = 0;
    /** SCI_ERR_SEGMENTID_USED. */
    public static final int SEGMENTID_USED = 0x40000918;

    /** Hears that the process at a segment's other end has gone or disconnected; on the library's service thread. */
    public interface Listener {
        /** Must not block and must not throw. */
        void peerGone();
    }

    private Sisci() {
    }

    /**
     * Opens the library and initialises it.
     *
     * @return null, or why it can't be used
     */
    static native String load(String path);

    /** Other users whose processes may connect to our segments and we to theirs, by number. */
    public static native void allowUsers(int[] users);

    /** The local node's id on adapter 0 in {@code out[0]}. */
    public static native int localNode(long[] out);

    public static native String errorText(int error);

    /** SCICreateSegment + SCIPrepareSegment. {@code listener} is referenced until the segment is removed. */
    public static native int createSegment(int id, long size, Listener listener, long[] out);

    public static native int setAvailable(long segment);

    public static native int setUnavailable(long segment);

    /**
     * Maps all of a local segment, for good: with our shim the descriptor behind it goes as soon as possible.
     *
     * @return the memory with the map's handle in {@code out[0]}, or null with the error there
     */
    public static native ByteBuffer mapLocal(long segment, long size, long[] out);

    /** Unmaps; nobody may touch the buffer from here on, so the last user calls this. */
    public static native int unmap(long map);

    /** SCIRemoveSegment, connected or not. */
    public static native int removeSegment(long segment);

    /** SCIConnectSegment; blocks for at most {@code millis}. {@code out[0]} the handle, {@code out[1]} the size in bytes. */
    public static native int connectSegment(int node, int id, int millis, Listener listener, long[] out);

    public static native ByteBuffer mapRemote(long segment, long size, long[] out);

    public static native int disconnectSegment(long segment);

    /** A new interrupt: {@code out[0]} its handle, {@code out[1]} its number, {@code out[2]} its descriptor. */
    public static native int createInterrupt(long[] out);

    /** Consumes pending triggers; never blocks. */
    public static native void acknowledge(long interrupt);

    public static native int removeInterrupt(long interrupt);

    public static native int connectInterrupt(int node, int number, int millis, long[] out);

    /** Never blocks. */
    public static native int trigger(long remoteInterrupt);

    public static native int disconnectInterrupt(long remoteInterrupt);
}
