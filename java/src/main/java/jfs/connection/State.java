package jfs.connection;

/**
 * The life of a {@link Connection}.
 *
 * <pre>
 *            it has become               the connecting
 *            a conversation              end offers it               a path
 *   PLAIN --------------------&gt; CANDIDATE ------------&gt; OFFERED -------------&gt; ATTACHED
 *     |                           |  |  ^                |   |                    |
 *     |                           |  |  +----------------+   |                    |
 *     |                           |  |   failed for now      |                    |
 *     |                           |  +-----------------------|-------- a path ---&gt;|  (the accepted end, which offers find)
 *     | stays on TCP for good     |                          |                    | no byte has gone by the path, and none will
 *     +---------------------------+--------------------------+--&gt; REFUSED &lt;-------+
 *                                                      the accepted end may still take a path: REFUSED --&gt; ATTACHED
 *
 *   each of these -----&gt; CLOSING -----&gt; CLOSED
 *             close              the closing thread is done
 * </pre>
 */
enum State {
    /** The connection is not worth an offer so far. There is no {@link Upgrade}. */
    PLAIN,
    /**
     * The connection may get a path: this end offers it when the next attempt is due, or offers of the peer find it. A connection between
     * hosts is a candidate from the beginning, because its first bytes are kept. An accepted connection whose listener already has its name
     * is a candidate from accept on.
     */
    CANDIDATE,
    /** The offer is on its way. Only the connecting end has this state. */
    OFFERED,
    /** There is a path. Each direction goes by it as soon as it has switched. */
    ATTACHED,
    /** The connection stays on TCP for a reason that won't pass. The accepted end may take a path all the same, if one comes. */
    REFUSED,
    /** A thread is closing the connection. From now on it gets no path and no table entry. */
    CLOSING,
    /** The closing thread is done with TCP and the path. A thread that is still inside a read or write leaves them when it returns. */
    CLOSED;

    boolean mayBecome(State next) {
        return switch (next) {
            case PLAIN -> false;
            case CANDIDATE -> this == PLAIN || this == OFFERED || this == CANDIDATE;
            case OFFERED -> this == CANDIDATE;
            case ATTACHED -> this == CANDIDATE || this == OFFERED || this == REFUSED;
            case REFUSED -> this != CLOSING && this != CLOSED && this != REFUSED;
            case CLOSING -> this != CLOSING && this != CLOSED;
            case CLOSED -> this == CLOSING;
        };
    }
}
