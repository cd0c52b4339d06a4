package jfs.negotiation.handshake;

import jfs.spi.FastPath;
import jfs.spi.TcpDescriptor;
import jfs.stat.Reason;

/**
 * One end of a TCP connection that may get a fast path. The negotiation refers to it weakly. A socket that the program has lost can
 * therefore be garbage-collected.
 */
public interface Endpoint {

    /** @return the TCP socket's descriptor */
    TcpDescriptor tcp();

    /** @return null if no rule has chosen a transport between hosts for the connection, and once it has a path or stays on TCP for good */
    StreamPrefix streamPrefix();

    /**
     * Gives this end its fast path. Called on the negotiation's thread, once.
     *
     * @return false if the socket has been closed meanwhile; then the caller has to dispose of the path
     */
    boolean attach(FastPath path);

    /** The connection stays on TCP for now: an offer for it may still come, or be made again. Not called after {@link #attach}. */
    void defer(Reason reason, String detail);

    /** The connection stays on TCP for good. Only the first call counts. Not called after {@link #attach}. */
    void fallback(Reason reason, String detail);
}
