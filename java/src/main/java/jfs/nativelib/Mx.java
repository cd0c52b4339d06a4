package jfs.nativelib;

import java.nio.ByteBuffer;

/**
 * The MX calls that JFS uses, one native method each, of the library that {@link NativeLibrary#mxUnavailable} has loaded.
 * Results are MX's error codes ({@link #OK} = 0) unless a method says otherwise. Any thread may make any of the calls, except
 * {@link #closeEndpoint}, which must not overlap with other calls on its endpoint. Only {@link #connect}, {@link #sleep} and {@link
 * #await} block. An address is the two words that {@link #connect} gives. The memory of a message is the address of a direct
 * buffer, which must be reachable until the request has completed.
 */
public final class Mx {

    public static final int OK = 0;
    /** MX_NO_RESOURCES: the call can't be made now, but maybe later. */
    public static final int NO_RESOURCES = 15;
    /** MX_TIMEOUT, of {@link #connect}: the time is over, or another thread has called {@link #wakeUp}. */
    public static final int TIMEOUT = 30;
    /** MX_BAD_LIB_VERSION. */
    public static final int BAD_LIB_VERSION = 38;

    /** MX_STATUS_SUCCESS, the status of a completion. */
    public static final int STATUS_SUCCESS = 0;

    /** Results of {@link #transports}, as mx_shim.h has them. */
    public static final int RDMA = 1;
    public static final int TCP = 2;

    // A completion as completions() writes it, in the machine's byte order; mx.c asserts the same offsets.
    //
    //   0          8        16     24         28        32       36       40
    //   | context  | match  | nic  | endpoint | session | status | length |
    //
    // nic, endpoint and session are those of the sender. They are 0 if no message had matched. length: the bytes received.
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
     * Opens a library, finds all calls in it and begins to use it: MX_ERRORS_RETURN, then mx_init. If the library can't be used,
     * the one in use stays as it was.
     *
     * @param path a file, or a name without a slash that the dynamic linker looks for
     * @param vendors whether to refuse a library with the extension of JFS's shim
     * @return null, or why the library can't be used: the call and the file
     */
    static native String load(String path, boolean vendors);

    /** How other hosts can be reached: a sum of {@link #RDMA} and {@link #TCP}. It is RDMA for a library that does not say. */
    public static native int transports();

    public static native String errorText(int error);

    public static native String statusText(int status);

    /** The address of a direct buffer's memory. */
    public static native long address(ByteBuffer direct);

    /**
     * Opens an endpoint on the first board, with any id.
     *
     * @param out receives handle, nic, endpoint id, and the descriptor that {@link #arm} is for, or -1 if the library has
     *            no descriptor
     */
    public static native int openEndpoint(int key, long[] out);

    /** Closes an endpoint. Its requests are gone. No other call on it may be under way or follow. */
    public static native int closeEndpoint(long endpoint);

    /**
     * Connects to an endpoint. Blocks for at most {@code millis}, which must not be 0: that would be without limit.
     *
     * @param out receives the address's two words, its nic, endpoint id and session (0 in a library without sessions)
     */
    public static native int connect(long endpoint, long nic, int id, int key, int millis, long[] out);

    /** Disconnects from that address. Sends to it that are under way complete with an error. */
    public static native int disconnect(long endpoint, long first, long second);

    /** mx_isend of one segment. */
    public static native int send(long endpoint, long first, long second, long memory, int length, long match,
            long context);

    /** mx_irecv of one segment, from any sender and with any match information. */
    public static native int receive(long endpoint, long memory, int length, long context);

    /**
     * Calls mx_test_any repeatedly, and so takes the requests that have completed, in the order in which they completed.
     *
     * @param memory the address of {@code most} times {@link #COMPLETION_BYTES} bytes
     * @return how many requests were taken, or a negative error
     */
    public static native int completions(long endpoint, long memory, int most);

    /**
     * Arms the endpoint's descriptor. Called before a wait at the descriptor, by one thread at a time (ENDPOINT-2).
     *
     * @return true if nothing has happened since the last call; if false, the caller has to look again before it waits
     */
    public static native boolean arm(long endpoint);

    /** Result of {@link #sleep}: something had happened, so the call has not waited. */
    public static final int LOOK_FIRST = -1;

    /**
     * {@link #arm} and the wait in one call. The wait is at the endpoint and at two other descriptors ({@code fd2 < 0}: at one). Called by
     * one thread at a time. The wake-up may be spurious.
     *
     * @param millis longest wait in milliseconds, negative for ever
     * @return what happened on the first descriptor in the low 16 bits, on the second in the high 16; 0 for anything else;
     *         {@link #LOOK_FIRST}
     */
    public static native int sleep(long endpoint, int fd1, int events1, int fd2, int events2, int millis);

    /** mx_peek: blocks until a request has completed or {@link #wakeUp} is called, for at most {@code millis} (not 0). */
    public static native int await(long endpoint, int millis);

    public static native int wakeUp(long endpoint);
}
