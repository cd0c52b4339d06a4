package jfs.monitor;

/**
 * The table of connections that a process of JFS shows: where its words are. The process writes the table, and any process that may open
 * the process's descriptors reads it: processes of the same user, and root's (ptrace(2), PTRACE_MODE_READ). All numbers are in the
 * machine's byte order, and each is aligned to its size.
 *
 * <pre>
 *  offset  bytes
 *       0      8  MAGIC, stored last
 *       8      4  LAYOUT_VERSION: a reader that knows another one reads nothing more
 *      12      4  ROW_BYTES
 *      16      4  ROWS_MAX: how many rows there is room for. Row 0 is no connection: those without a row of their own count there
 *      20      4  ROWS_USED: no row from this one on has ever been used
 *      24      8  SINCE: when JFS was first used in this process, milliseconds since 1970
 *      32      4  UPGRADE_AFTER: the setting jfs.upgrade.after
 *      40      8  WITHOUT_ROW: connections for which there was no row
 *      64    8x8  COUNTERS: of the process, in the order of {@link jfs.stat.Stats}
 *     128      4  length of the text that follows: why no connection of this process can be fast; 0 if some can
 *     132    380  the text, UTF-8
 *     512      4  length of the text that follows: why the program's channels are not JFS's; 0 if they are, or need not be
 *     516    380  the text, UTF-8
 *    1024  64x24  REASONS: for each reason its name, 16 bytes of ASCII padded with 0, and the number of connections, 8 bytes
 *    4096    384  the rows, one behind the other
 *
 *  a row           written by
 *       0      4  the connection      SEQUENCE: odd while bytes 4 to 255 change (MONITOR-1)
 *       4      4  the table           GENERATION: counts how often the row was given to a connection
 *       8      8  the table           when the connection began, milliseconds since 1970; 0 if the row is free
 *      16     16  the table           the peer's address; IPv4 as IPv4-mapped
 *      32      4  the table           the peer's port
 *      36      4  the table           the own port
 *      40      4  the table           KIND: {@link #SOCKET} or {@link #CHANNEL}; plus {@link #ACCEPTED}
 *      44      4  the connection      STATE: the ordinal number of jfs.connection.State
 *      48      4  the connection      REASON: the index among REASONS, from 1 on; 0 for none
 *      52      4  the connection      RING: bytes of the ring of each direction; 0 while there is no path, or if the path has none
 *      64     16  the connection      the transport's name, ASCII padded with 0; empty while there is no path
 *      80      4  the connection      length of the text that follows
 *      84    172  the connection      what the reason says beyond its own text, UTF-8
 *     256     64  the reading thread  what has come:   {@link #IN}
 *     320     64  the writing thread  what has gone:   {@link #OUT}
 *
 *  a direction, written under its lock, so that no two threads write a word at the same time. The threads of selectors add to FOUND and
 *  SLEEPS without it: if several wait for one channel, a wait may be missing
 *       0      4  PHASE: the ordinal number of jfs.connection.ReaderState.Phase, or of Writer.Phase
 *       4      4  TURNAROUNDS: writes over TCP that followed a read (OUT only)
 *       8      8  BYTES: of the stream, by TCP and by the path
 *      16      8  OVER_TCP: those of them that went over TCP. Files that the kernel sends are not counted
 *      24      8  FOUND: waits that ended while the thread polled; up to 64 fewer until the thread sleeps
 *      32      8  SLEEPS: waits in which the thread slept in the kernel
 *      40      8  BELLS: how often this thread woke one of the peer
 * </pre>
 *
 * <p>A counter is stored in one piece and only grows, so a reader never sees a torn one. Counters of one row may be of slightly different
 * times.
 */
final class TableLayout {

    static final long MAGIC = 0x4A46_535F_5441_424CL; // "JFS_TABL"
    static final int LAYOUT_VERSION = 1;
    /** The name of the table's file: {@code /memfd:jfs-connections (deleted)} among the descriptors. */
    static final String FILE = "jfs-connections";

    static final int MAGIC_AT = 0;
    static final int LAYOUT_VERSION_AT = 8;
    static final int ROW_BYTES_AT = 12;
    static final int ROWS_MAX_AT = 16;
    static final int ROWS_USED_AT = 20;
    static final int SINCE_AT = 24;
    static final int UPGRADE_AFTER_AT = 32;
    static final int WITHOUT_ROW_AT = 40;
    static final int COUNTERS_AT = 64;
    static final int COUNTERS = 8;
    static final int UNAVAILABLE_AT = 128;
    static final int CHANNELS_AT = 512;
    static final int HEADER_TEXT_MAX = 380;
    static final int REASONS_AT = 1024;
    static final int REASON_BYTES = 24;
    static final int NAME_MAX = 16;
    static final int REASONS_MAX = 64;
    static final int HEADER_BYTES = 4096;

    static final int ROW_BYTES = 384;
    static final int ROWS_MAX = 1 << 16;
    static final int TABLE_BYTES = HEADER_BYTES + ROWS_MAX * ROW_BYTES;

    static final int SEQUENCE = 0;
    static final int GENERATION = 4;
    static final int BEGAN = 8;
    static final int ADDRESS = 16;
    static final int PORT = 32;
    static final int OWN_PORT = 36;
    static final int KIND = 40;
    static final int STATE = 44;
    static final int REASON = 48;
    static final int RING = 52;
    static final int TRANSPORT = 64;
    static final int DETAIL = 80;
    static final int DETAIL_MAX = 172;
    static final int IN = 256;
    static final int OUT = 320;

    static final int PHASE = 0;
    static final int TURNAROUNDS = 4;
    static final int BYTES = 8;
    static final int OVER_TCP = 16;
    static final int FOUND = 24;
    static final int SLEEPS = 32;
    static final int BELLS = 40;

    /** Kinds of what the program has. */
    static final int SOCKET = 0;
    static final int CHANNEL = 1;
    /** Added to the kind if a listener of this process has accepted the connection. */
    static final int ACCEPTED = 16;

    private TableLayout() {
    }
}
