package jfs.ring;

/**
 * Where everything lies in an <em>inbox</em>: the memory that one end of a connection reads and the other end writes.
 * "Write remote, read local" holds for every word of it (a card's remote stores are cheap, its remote loads slow), with
 * one exception: the owner clears the two asleep words, in its own memory.
 *
 * <p>A connection has two inboxes. In this layout (version 1) they lie one behind the other in one region, the
 * acceptor's first. Offsets in bytes; each group of words has 128 bytes to itself, so that neither the cache line nor
 * the prefetched neighbour line is shared between words of different writers' habits.
 *
 * <pre>
 *       0 +-----------------+------------------------------------------------------------------
 *         | MAGIC           | long  written once, by the region's creator, before it is offered
 *         | VERSION         | int
 *         | WINDOW          | int   bytes of the ring, a multiple of 4096
 *         | OVERFLOW        | int   bytes of the overflow ring, a power of two
 *         | NONCE           | long  random; the offer names it too
 *     128 +-----------------+------------------------------------------------------------------
 *         | SWITCHED        | long  peer as sender: 0, then 1 + stream bytes that went over TCP before (latched)
 *         | ENDED           | int   peer as sender: 0, FIN or RESET, after its last byte (latched)
 *     256 +-----------------+------------------------------------------------------------------
 *         | OVERFLOW_TAIL   | long  peer as sender: bytes ever put into the overflow ring
 *         | OVERFLOW_END    | long  peer as sender: the tail at which the stream last went back to the ring
 *     384 +-----------------+------------------------------------------------------------------
 *         | RECEIVER        | int   peer as receiver: READY, OOB_INLINE, CLOSED
 *     512 +-----------------+------------------------------------------------------------------
 *         | HEAD            | long  peer as receiver: lines ever consumed from the ring it reads
 *         | OVERFLOW_HEAD   | long  peer as receiver: bytes ever consumed from its overflow ring
 *     640 +-----------------+------------------------------------------------------------------
 *         | READER_ASLEEP   | int   set by the peer before it sleeps, exchanged for 0 by the one who wakes it
 *         | WRITER_ASLEEP   | int
 *    4096 +-----------------+------------------------------------------------------------------
 *         | ring            | WINDOW bytes: see {@link RingSender}
 *         +-----------------+------------------------------------------------------------------
 *         | overflow ring   | OVERFLOW bytes, sparse: pages never touched cost nothing
 *         +-----------------+------------------------------------------------------------------
 * </pre>
 */
public final class InboxLayout {

    public static final int PAGE = 4096;
    /** A record starts on a line and its first bytes share that line with the word that publishes them. */
    public static final int LINE = 64;

    /** "JFSinbox" where the machine's byte order is ours; anything else where it is not. */
    public static final long MAGIC_VALUE = 0x4a4653696e626f78L;
    public static final int VERSION_VALUE = 1;

    static final int MAGIC = 0;
    static final int VERSION = 8;
    static final int WINDOW = 12;
    static final int OVERFLOW = 16;
    static final int NONCE = 24;

    static final int SWITCHED = 128;
    static final int ENDED = 136;
    static final int OVERFLOW_TAIL = 256;
    static final int OVERFLOW_END = 264;
    static final int RECEIVER = 384;
    static final int HEAD = 512;
    static final int OVERFLOW_HEAD = 520;
    static final int READER_ASLEEP = 640;
    static final int WRITER_ASLEEP = 644;
    public static final int RING = PAGE;

    /** {@link #ENDED}: the sender has finished and all it wrote is in the ring. */
    static final int FIN = 1;
    /** {@link #ENDED}: the sender gave up; what follows the ring's bytes is "Connection reset". */
    static final int RESET = 2;

    /** {@link #RECEIVER}: it watches ring and TCP both from now on. */
    static final int READY = 1;
    /** {@link #RECEIVER}: urgent bytes belong into the stream (SO_OOBINLINE). */
    static final int OOB_INLINE = 2;
    /** {@link #RECEIVER}: it will never read again. */
    static final int CLOSED = 4;

    public static final int WINDOW_MIN = 2 * PAGE;
    public static final int WINDOW_MAX = 64 << 20;
    public static final int OVERFLOW_MAX = 256 << 20;

    private InboxLayout() {
    }

    /** Bytes of one inbox. */
    public static int inboxBytes(int window, int overflow) {
        return RING + window + overflow;
    }

    /** Whether a peer's sizes are ones that a sender and a receiver can work with. */
    public static boolean valid(int window, int overflow) {
        return window >= WINDOW_MIN && window <= WINDOW_MAX && window % PAGE == 0
                && overflow >= PAGE && overflow <= OVERFLOW_MAX && Integer.bitCount(overflow) == 1;
    }
}
