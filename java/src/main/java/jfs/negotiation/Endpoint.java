package jfs.negotiation;

import jfs.spi.FastPath;
import jfs.spi.TcpDescriptor;
import jfs.stat.Reason;

/** One end of a TCP connection that may get a fast path. Held weakly: an abandoned socket is collected as ever. */
public interface Endpoint {

    /** Its descriptor. */
    TcpDescriptor tcp();

    /** What its streams began with; null once it is decided what becomes of it, and if no rule wants it between hosts. */
    Opening opening();

    /**
     * Gives it its fast path. Called on the negotiation's thread, once.
     *
     * @return false if the socket has been closed meanwhile: then the path is the caller's to dispose of
     */
    boolean attach(FastPath path);

    /** It stays on TCP for now: an offer for it may still come, or be made again. Not after {@link #attach}. */
    void defer(Reason reason, String detail);

    /** It stays on TCP for good. Not after {@link #attach}; the first call counts. */
    void fallback(Reason reason, String detail);
}
