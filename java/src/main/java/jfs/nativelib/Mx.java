package jfs.nativelib;

import java.nio.ByteBuffer;

/**
 * The MX calls that JFS uses, one native method each, of the library that {@link NativeLibrary#mxUnavailable} has loaded.
 * Results are MX's error codes ({@link #OK} = 0) unless they say otherwise. Any thread may make any of them, but for
 * {@link #closeEndpoint}, which must not overlap with others on its endpoint; only {@link #connect}, {@link #sleep} and {@link #await}
 * block. An address is the two words that {@link #connect} gives; memory of a message is the address of a direct buffer,
 * which must be reachable until the request has completed.
 */
public final class Mx {

    public static final int OK = 0;
    /** MX_NO_RESOURCES: not now, maybe later. */
    public static final int NO_RESOURCES = 15;
    /** MX_BAD_LIB_VERSION. */
    public static final int BAD_LIB_VERSION = 38;

    /** MX_STATUS_SUCCESS, of a completion. */
    public static final int STATUS_SUCCESS = 0;

    /** Of {@link #transports}, as mx_shim.h has them. */
    public static final int RDMA = 1;
    public static final int TCP = 2;

    // A completion as completions() writes it, in the machine's byte order; mx.c asserts the same offsets.
    //
    //   0          8        16     24         28        32       36       40
    //   | context  | match  | nic  | endpoint | session | status | length |
    //
    // nic, endpoint and session are the source's, or 0 if there is none: no message had matched; length is what was received.
    public static final int CONTEXT = 0;
    public static final int MATCH = 8;
    public static final int NIC = 16;
    public static final int ENDPOINT = 24;
    public static final int SESSION = 28;
    public static final int STATUS = 32;
    public static final int LENGTH = 36;
    public static final int COMPLETION_BYTES = 40;

    private Mx() {
    }

    /**
     * Opens a library, finds all calls in it and begins to use it: MX_ERRORS_RETURN, then mx_init. One that can't be used
     * changes nothing.
     *
     * @param path a file, or a name without a slash that the dynamic linker looks for
     * @param vendors whether to refuse a library with our shim's extension
     * @return null, or why it can't be used: which call, of which file
     */
    static native String load(String path, boolean vendors);

    /** How other hosts can be reached, {@link #RDMA} + {@link #TCP}; RDMA of a library that doesn't say. */
    public static native int transports();

    public static native String errorText(int error);

    public static native String statusText(int status);

    /** Where a direct buffer's memory is. */
    public static native long address(ByteBuffer direct);

    /**
     * A new endpoint on the first board, of any id.
     *
     * @param out receives handle, nic, endpoint id, and the descriptor that {@link #arm} is for, or -1 if the library has
     *            no such thing
     */
    public static native int openEndpoint(int key, long[] out);

    /** Its requests are gone. No other call may be under way, nor follow. */
    public static native int closeEndpoint(long endpoint);

    /**
     * Blocks for at most {@code millis} (not 0, which is for ever).
     *
     * @param out receives the address's two words, its nic, endpoint id and session (0 in a library without sessions)
     */
    public static native int connect(long endpoint, long nic, int id, int key, int millis, long[] out);

    /** Sends to that address that are under way complete, with an error. */
    public static native int disconnect(long endpoint, long first, long second);

    /** mx_isend of one segment. */
    public static native int send(long endpoint, long first, long second, long memory, int length, long match,
            long context);

    /** mx_irecv of one segment, from whomever, whatever it matches. */
    public static native int receive(long endpoint, long memory, int length, long context);

    /**
     * mx_test_any again and again: takes requests that have completed, in that order.
     *
     * @param memory address of {@code most} times {@link #COMPLETION_BYTES}
     * @return how many, or a negative error
     */
    public static native int completions(long endpoint, long memory, int most);

    /**
     * Before a wait at the endpoint's descriptor, by one thread at a time (ENDPOINT-2).
     *
     * @return whether nothing has happened since the last call; else look again first
     */
    public static native boolean arm(long endpoint);

    /** Of {@link #sleep}: something has happened, so it has not waited. */
    public static final int LOOK_FIRST = -1;

    /**
     * {@link #arm} and the wait in one call, at two descriptors beside the endpoint ({@code fd2 < 0}: at one); by one thread at a time.
     * The wait may end without a cause.
     *
     * @param millis longest wait in milliseconds, negative for ever
     * @return what happened on the first descriptor in the low 16 bits, on the second in the high 16; 0 for anything else;
     *         {@link #LOOK_FIRST}
     */
    public static native int sleep(long endpoint, int fd1, int events1, int fd2, int events2, int millis);

    /** mx_peek: blocks for at most {@code millis} (not 0) until a request has completed, or {@link #wakeUp}. */
    public static native int await(long endpoint, int millis);

    public static native int wakeUp(long endpoint);
}
