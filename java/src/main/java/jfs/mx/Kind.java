package jfs.mx;

/**
 * What a message is. Its match information names the receiver's end of the connection, the kind, and the message's place
 * among those of its sender's end; numbers in the bytes are big-endian.
 *
 * <pre>
 *   63                    32 31    28 27                    0
 *   | receiver's number     | kind   | sequence             |
 *
 *   HELLO     nonce (8)            the first one, and only that
 *   DATA      bytes of the stream
 *   FIRST     count (8), bytes     as DATA; this direction's stream went over TCP before, for that many bytes (SWITCH-2)
 *   RECEIVER  consumed (8), flags (8)    of the sender's receiving half: how many bytes it has taken, {@link #READY} and so on
 *   END       nothing              the stream ends here
 *   RESET     nothing              the stream ends here, and so does TCP, by a reset
 *   EXIT      nothing              the process ends: unless DATA comes after it, TCP's end is the stream's
 *   ARRIVED   nothing              all messages up to an END, RESET or EXIT have come
 *   ASK       nothing              TCP has ended: does this end the stream?
 *   TCP_ONLY  nothing              to ASK: yes, it has not switched (and won't: its TCP is over)
 * </pre>
 */
enum Kind {

    HELLO, DATA, FIRST, RECEIVER, END, RESET, EXIT, ARRIVED, ASK, TCP_ONLY;

    // Flags of RECEIVER: the state of its sender's receiving half.
    static final long READY = 1;
    static final long TAKES_URGENT = 2;
    static final long CLOSED = 4;

    /** Sequences count to here, then from 0 again. */
    static final int SEQUENCE_MASK = (1 << 28) - 1;

    private static final Kind[] ALL = values();

    long match(int number, int sequence) {
        return (long) number << 32 | (long) ordinal() << 28 | sequence;
    }

    static int number(long match) {
        return (int) (match >>> 32);
    }

    static int sequence(long match) {
        return (int) match & SEQUENCE_MASK;
    }

    /** @return null if there is no such kind */
    static Kind of(long match) {
        int ordinal = (int) (match >>> 28) & 0xf;
        return ordinal < ALL.length ? ALL[ordinal] : null;
    }

    /** Whether its bytes are the stream's. */
    boolean isData() {
        return this == DATA || this == FIRST;
    }

    /** The kind with which the receiver answers such a message; null: it does not answer. */
    Kind answer() {
        return switch (this) {
            case END, RESET, EXIT -> ARRIVED;
            case ASK -> TCP_ONLY;
            default -> null;
        };
    }
}
