package jfs.ring;

/**
 * Where everything lies in an <em>inbox</em>: the memory that one end of a connection reads and the other end writes.
 * "Write remote, read local" holds for every word of it (a card's remote stores are cheap, its remote loads slow), with
 * two exceptions. The owner clears the two asleep words, in its own memory. In a region, which is not behind a card, PLACE and
 * BELL_RUNG belong to both ends, and the end that leaves last clears both inboxes.
 *
 * <p>A connection has two inboxes: one behind the other in one region, the acceptor's first, and behind these another connection's
 * where a region has several places; or behind a card each in a segment of the end that reads it. Offsets in bytes;
 * each group of words has 128 bytes to itself, so that neither the cache line nor the prefetched neighbour line is shared
 * between words of different writers' habits.
 *
 * <p>A message queue ({@code jfs.scilib}, and SCILib in C: native/common/inbox.h) goes one way and has two segments, each
 * with one inbox in its owner's memory: the receiver's, with the ring, under the queue's id, and the sender's, which has
 * neither ring nor overflow ring: there the receiver writes its head and says that it sleeps. The receiver comes first;
 * the sender connects to its segment, makes its own and puts the id of that into SENDER, which leads the receiver back.
 *
 * <p>Words that are not drawn are zero, and neither end looks at them, nor at other bits of RECEIVER than those named. So a
 * word or a bit that a peer may ignore can be added within a version. A change of the meaning of the drawn words takes a new
 * version. The 4096 is a number of this layout, not the kernel's page size.
 *
 * <pre>
 *       0 +-----------------+------------------------------------------------------------------
 *         | MAGIC           | long  written once, by the region's creator, before it is offered
 *         | VERSION         | int   of the protocol, as the offer has it
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
 *         | READER_ASLEEP   | int   0, or what wakes the peer's reader (drawn in {@link AsleepWord}): set by the peer
 *         |                 |       before it sleeps, exchanged for 0 by the owner, who wakes it
 *         | WRITER_ASLEEP   | int   the same of its writer
 *     768 +-----------------+----- of a message queue only -----------------------------------
 *         | DOORBELL        | int   written once, by the owner: its interrupt, which the peer triggers to wake it
 *         | SENDER          | int   in the receiver's: 0, then the id of the sender's segment (compared and set once)
 *     896 +-----------------+----- of a region with several places, in the connecting end's inbox ----
 *         | PLACE           | long  by both ends: who uses this place (drawn in {@code jfs.transport.sci.Place})
 *    1024 +-----------------+----- of a region's first place ---------------------------------
 *         | BELL_RUNG       | int   by both processes: whether the bell of the process that reads this inbox has been
 *         |                 |       rung (drawn in {@link BellWord}). It stays when the place is left
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

    /** "JFSinbox". A machine of the other byte order reads another number. */
    public static final long MAGIC_VALUE = 0x4a4653696e626f78L;

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
    static final int DOORBELL = 768;
    static final int SENDER = 772;
    static final int PLACE = 896;
    static final int BELL_RUNG = 1024;
    public static final int RING = PAGE;

    /** {@link #ENDED}: the sender has finished and all it wrote is in the ring. */
    static final int FIN = 1;
    /** {@link #ENDED}: the sender has reset the stream. After the ring's bytes the receiver gets "Connection reset". */
    static final int RESET = 2;

    /** {@link #RECEIVER}: the receiver watches both the ring and TCP from now on. */
    static final int READY = 1;
    /** {@link #RECEIVER}: urgent bytes belong into the stream (SO_OOBINLINE). */
    static final int OOB_INLINE = 2;
    /** {@link #RECEIVER}: the receiver will never read again. */
    static final int CLOSED = 4;

    /** {@link #PLACE}: neither process uses it. */
    static final long FREE = 0;
    /** {@link #PLACE}: both ends use it. */
    static final long JOINED = 1;
    /** {@link #PLACE}: one end has left, or the offer is being withdrawn. */
    static final long LEFT = 2;

    public static final int WINDOW_MIN = 2 * PAGE;
    public static final int WINDOW_MAX = 64 << 20;
    /** A connecting end chooses how much memory its peer maps, and may fill, for one connection. This bounds the choice. */
    public static final int OVERFLOW_MAX = 16 << 20;

    /** {@link #VERSION} from which on a sender may begin again at the ring's first line ({@link RingSender}). */
    private static final int REWINDS = 2;

    /** {@link #VERSION} from which on a thread may sleep in a futex at its asleep word ({@link AsleepWord}). */
    private static final int SLEEPS_IN_FUTEX = 3;

    /** {@link #VERSION} of a message queue, whose protocol is not that of an offer. */
    public static final int QUEUE_VERSION = 1;
    /** The ids of the segments of message queues: the receiver's, and the sender's. The lower bits tell the segments apart. */
    public static final int QUEUE_ID = 0x10000000;
    public static final int SENDER_ID = 0x18000000;
    public static final int QUEUE_ID_MAX = 0x07ffffff;
    /** Border of the long protocol in message queues, bytes. Both ends use it to compute what fits. */
    public static final int QUEUE_LONG_MIN = 8192;

    private InboxLayout() {
    }

    /** Whether senders of that version of the protocol may begin again at the ring's first line. */
    public static boolean rewinds(int version) {
        return version >= REWINDS;
    }

    /** Whether threads of both ends may sleep in a futex, and know how to wake such a thread, in that version of the protocol. */
    public static boolean sleepsInFutex(int version) {
        return version >= SLEEPS_IN_FUTEX;
    }

    /** The most bytes of a record. Together with the header they fill whole lines. @param longMin border of the long protocol, bytes */
    static int chunk(int window, int longMin) {
        return Math.max(LINE, Math.min(longMin, window / 4) / LINE * LINE) - RingSender.HEADER;
    }

    /** How many lines a record of so many bytes takes, with its header. */
    static int linesOf(int bytes) {
        return (RingSender.HEADER + bytes + LINE - 1) / LINE;
    }

    /** Bytes of one inbox. */
    public static int inboxBytes(int window, int overflow) {
        return RING + window + overflow;
    }

    /**
     * The size of a message queue's ring in bytes: the smallest in which {@code count} messages of {@code size} bytes fit. It
     * allows for the lag of the receiver's published head (RING-5), and for records that are as short as in the smallest ring.
     *
     * @return 0 if that is too large
     */
    public static int queueWindow(int count, int size) {
        if (count <= 0 || size <= 0 || count > WINDOW_MAX || size > WINDOW_MAX) {
            return 0;
        }
        int chunk = chunk(WINDOW_MIN, QUEUE_LONG_MIN);
        long message = (long) (size / chunk) * linesOf(chunk)
                + (size % chunk > 0 ? linesOf(size % chunk) : 0);
        long bytes = (count * message + RingSender.SLACK) * LINE + PAGE;
        long window = (bytes + PAGE - 1) / PAGE * PAGE;
        return window > WINDOW_MAX ? 0 : (int) Math.max(window, WINDOW_MIN);
    }

    /** Whether a peer's sizes are ones that a sender and a receiver can work with. */
    public static boolean valid(int window, int overflow) {
        return window >= WINDOW_MIN && window <= WINDOW_MAX && window % PAGE == 0
                && overflow >= PAGE && overflow <= OVERFLOW_MAX && Integer.bitCount(overflow) == 1;
    }
}
