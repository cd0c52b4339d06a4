package jfs.monitor;

import java.lang.ref.WeakReference;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import jfs.memory.Published;
import jfs.nativelib.NativeLibrary;
import jfs.nativelib.Posix;

/**
 * This process's table of connections, for programs outside ({@link TableLayout}, {@link TableReader}). It is made when it is first
 * written, and stays for the life of the process. It is a memfd, of which no process can cut off a part (memfd_create(2), file sealing).
 * The process keeps its descriptor, by which other processes open it: {@code /proc/PID/fd/N}. So nothing is left of the table when the
 * process ends, in whatever way, and only processes that may look into this one can read it. Nothing reads it while no program looks, and
 * to count costs one store into the connection's own line of the cache.
 *
 * <p>A connection has a row from its begin to its end, and names it by a number that holds the row's index and its generation. When a row
 * is freed, {@value #RESTS} others are given away before it is used again, and a change by a connection that has lost its row does nothing.
 * So a thread that still leaves a closed connection does not write into another connection's row. It may add to that row's counters only if
 * it was held up for that long between two instructions.
 *
 * <p>If the table is full, or can't be made, a connection counts in row 0, which is never shown. The row of a connection that a program
 * forgot to close is freed some time after the garbage collector has found that nothing refers to the connection: the table is looked
 * through when it would have to grow, or is full, but only once for {@value #LOOK_EVERY} connections, and without its first
 * {@value #LOOK_EVERY} rows. Readers see that the kernel has no such connection.
 *
 * <p>Any thread may call the methods. They don't block, except for the short time in which another thread takes or frees a row.
 */
public final class ConnectionTable {

    /** How many freed rows lie between the one that is freed and the one that is given away. */
    private static final int RESTS = 64;
    /**
     * So many connections have to begin between two looks for rows that were forgotten. And so many rows are not looked at: a process with
     * few connections makes no reference for each.
     */
    private static final int LOOK_EVERY = 512;
    private static final int INDEX_BITS = 20;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
    private static final int GENERATION_MASK = (1 << 31 - INDEX_BITS) - 1;

    /** The JDK sets this system property when its flight recorder starts: where the recorder keeps its files. */
    private static final String RECORDER = "jdk.jfr.repository";

    private static final ByteBuffer MEMORY = memory();
    private static final Published TABLE = new Published(MEMORY);
    /** How many rows there is room for, row 0 included. */
    private static final int ROWS;

    // Guarded by the class.
    private static int used = 1;
    /** The freed rows, in the order in which they were freed: {@code freed} of them from {@code oldest} on, in a ring. */
    private static int[] free = new int[2 * RESTS];
    /** For each row that is taken, from {@link #LOOK_EVERY} on, its connection. If that is garbage, the program forgot to close it. */
    private static WeakReference<?>[] owners = new WeakReference<?>[0];
    private static int oldest;
    private static int freed;
    private static int takenSinceLook;

    /** A virtual thread that waits here gives its carrier back. One that waits for a class to be initialized keeps it. */
    private static final ReentrantLock LOADING = new ReentrantLock();
    /** Latched. */
    private static volatile boolean observed;
    /** Latched. The class {@link Observers} can't be initialized any more, because its initialization has failed. */
    private static volatile boolean unobservable;

    static {
        ROWS = (MEMORY.capacity() - TableLayout.HEADER_BYTES) / TableLayout.ROW_BYTES;
        TABLE.setInt(TableLayout.LAYOUT_VERSION_AT, TableLayout.LAYOUT_VERSION);
        TABLE.setInt(TableLayout.ROW_BYTES_AT, TableLayout.ROW_BYTES);
        TABLE.setInt(TableLayout.ROWS_MAX_AT, ROWS);
        TABLE.setInt(TableLayout.ROWS_USED_AT, used);
        TABLE.setLong(TableLayout.SINCE_AT, System.currentTimeMillis());
        Published.storeFence();
        TABLE.setLong(TableLayout.MAGIC_AT, TableLayout.MAGIC);
    }

    private ConnectionTable() {
    }

    /** Memory for the table, all 0. Where there is none to be had that others can read, it has room for row 0 alone. */
    private static ByteBuffer memory() {
        ByteBuffer made = null;
        try {
            made = NativeLibrary.unavailable() == null ? Posix.publishedMemory(TableLayout.FILE, TableLayout.TABLE_BYTES) : null;
            made = made != null ? made : TableFile.make();
            made = made != null ? made : ByteBuffer.allocateDirect(TableLayout.HEADER_BYTES + TableLayout.ROW_BYTES);
        } catch (OutOfMemoryError e) {
            // The program's connection must not fail for want of a table.
        }
        return made != null ? made : ByteBuffer.allocate(TableLayout.HEADER_BYTES + TableLayout.ROW_BYTES);
    }

    /**
     * Whether somebody may want to know what happens to connections: the flight recorder was started in this JVM, or a program has asked
     * ({@link Observers}). Takes some nanoseconds. No class is loaded before the first answer yes. That answer initializes
     * {@link Observers}, because the connection must not fail if this fails, for want of memory or stack.
     */
    public static boolean isObserved() {
        if (observed) {
            return true;
        }
        try {
            if (unobservable || System.getProperty(RECORDER) == null) {
                return false;
            }
        } catch (SecurityException e) { // a security manager that was set later
            return false;
        }
        try {
            LOADING.lock();
            try {
                Observers.load();
                observed = true;
            } finally {
                LOADING.unlock();
            }
        } catch (LinkageError e) {
            unobservable = true;
        } catch (Error e) {
            // The next call tries again.
        }
        return observed;
    }

    /** From now on {@link #isObserved}. */
    static void observe() {
        observed = true;
    }

    /** A reader of this process's table. @return null if there was no memory for one */
    public static TableReader reader() {
        return MEMORY.isDirect() ? new TableReader(MEMORY) : null;
    }

    /** The connection of that row. @return null if it has no row, or none any more */
    public static ConnectionView view(int connection) {
        if (!isIts(connection)) {
            return null;
        }
        ConnectionView view = new TableReader(MEMORY).connection(at(connection & INDEX_MASK));
        return isIts(connection) ? view : null;
    }

    // Of the process.

    /**
     * Called when the first socket or channel is made.
     *
     * @param unavailable why no connection can be fast, or null
     * @param channelsUnavailable why the program's channels are not JFS's, as far as that is known by now, or null
     */
    public static void began(int upgradeAfter, String unavailable, String channelsUnavailable) {
        TABLE.setInt(TableLayout.UPGRADE_AFTER_AT, upgradeAfter);
        putText(TableLayout.UNAVAILABLE_AT, TableLayout.HEADER_TEXT_MAX, unavailable);
        putText(TableLayout.CHANNELS_AT, TableLayout.HEADER_TEXT_MAX, channelsUnavailable);
    }

    /** @param index of the counter. The caller has a lock that orders the stores */
    public static void count(int index, long value) {
        TABLE.setLong(TableLayout.COUNTERS_AT + index * Long.BYTES, value);
    }

    /** The same for the reason of that index. */
    public static void countReason(int index, String name, long value) {
        int at = TableLayout.REASONS_AT + index * TableLayout.REASON_BYTES;
        if (TABLE.getInt(at) == 0) {
            putName(at, name);
        }
        TABLE.setLong(at + TableLayout.NAME_MAX, value);
    }

    // Of a connection.

    /**
     * A connection has begun.
     *
     * @param owner the connection. When it is garbage, the row may be freed
     * @param peer its address; null is shown as 0.0.0.0
     * @param channel whether the program has a SocketChannel; else it has a Socket
     * @return the row, for the methods below
     */
    public static int enter(Object owner, InetAddress peer, int port, int ownPort, boolean channel, boolean accepted) {
        int index = take(owner);
        if (index == 0) {
            return 0;
        }
        int row = at(index);
        TABLE.beginChange(row); // MONITOR-1
        int generation = TABLE.getInt(row + TableLayout.GENERATION) + 1 & GENERATION_MASK;
        for (int offset = TableLayout.GENERATION; offset < TableLayout.DETAIL + Integer.BYTES; offset += Integer.BYTES) {
            TABLE.setInt(row + offset, 0);
        }
        for (int offset = TableLayout.IN; offset < TableLayout.ROW_BYTES; offset += Long.BYTES) {
            TABLE.setLong(row + offset, 0);
        }
        TABLE.setInt(row + TableLayout.GENERATION, generation);
        TABLE.setLong(row + TableLayout.BEGAN, System.currentTimeMillis());
        putAddress(row + TableLayout.ADDRESS, peer);
        TABLE.setInt(row + TableLayout.PORT, port);
        TABLE.setInt(row + TableLayout.OWN_PORT, ownPort);
        TABLE.setInt(row + TableLayout.KIND, (channel ? TableLayout.CHANNEL : TableLayout.SOCKET) + (accepted ? TableLayout.ACCEPTED : 0));
        TABLE.endChange(row);
        return generation << INDEX_BITS | index;
    }

    /** The connection has ended. A second call does nothing. */
    public static synchronized void leave(int connection) {
        int index = connection & INDEX_MASK;
        if (index != 0 && isIts(connection) && TABLE.getLong(at(index) + TableLayout.BEGAN) != 0) {
            free(index);
        }
    }

    /** Called under the class. */
    private static void free(int index) {
        if (index < owners.length) {
            owners[index] = null;
        }
        int row = at(index);
        TABLE.beginChange(row);
        TABLE.setLong(row + TableLayout.BEGAN, 0);
        TABLE.endChange(row);
        if (freed == free.length) {
            int[] longer;
            try {
                longer = new int[2 * freed];
            } catch (OutOfMemoryError e) { // a close must not fail for want of a row
                return;
            }
            for (int i = 0; i < freed; i++) {
                longer[i] = free[(oldest + i) % freed];
            }
            free = longer;
            oldest = 0;
        }
        free[(oldest + freed++) % free.length] = index;
    }

    /** @return the index of a row, 0 if there is none */
    private static synchronized int take(Object owner) {
        takenSinceLook++;
        if (freed <= RESTS && takenSinceLook > LOOK_EVERY) {
            takenSinceLook = 0;
            freeForgotten();
        }
        int index = next();
        try {
            if (index >= LOOK_EVERY) {
                owners = index < owners.length ? owners : Arrays.copyOf(owners, 2 * index);
                owners[index] = new WeakReference<>(owner);
            }
        } catch (OutOfMemoryError e) {
            // The row is freed at the connection's end only. A longer array is tried again with the next row.
        }
        return index;
    }

    /** Frees the rows of connections that are garbage. A look at the whole table takes less than a millisecond. */
    private static void freeForgotten() {
        for (int index = LOOK_EVERY; index < Math.min(used, owners.length); index++) {
            if (owners[index] != null && owners[index].refersTo(null)) {
                free(index);
            }
        }
    }

    private static int next() {
        if (freed > RESTS || freed > 0 && used == ROWS) {
            int index = free[oldest];
            oldest = (oldest + 1) % free.length;
            freed--;
            return index;
        }
        if (used == ROWS) {
            TABLE.add(TableLayout.WITHOUT_ROW_AT, 1);
            return 0;
        }
        TABLE.setInt(TableLayout.ROWS_USED_AT, used + 1);
        return used++;
    }

    /** @param state the ordinal number of the connection's state. Called under the connection's monitor, as the next two methods */
    public static void state(int connection, int state) {
        if (isIts(connection)) {
            TABLE.setInt(at(connection & INDEX_MASK) + TableLayout.STATE, state);
        }
    }

    /** @param reason its ordinal number; -1 for none. @param detail null if the reason says it all */
    public static void reason(int connection, int reason, String detail) {
        if (isIts(connection)) {
            int row = at(connection & INDEX_MASK);
            TABLE.beginChange(row);
            TABLE.setInt(row + TableLayout.REASON, reason + 1);
            putText(row + TableLayout.DETAIL, TableLayout.DETAIL_MAX, detail);
            TABLE.endChange(row);
        }
    }

    public static void transport(int connection, String name) {
        if (isIts(connection)) {
            int row = at(connection & INDEX_MASK);
            TABLE.beginChange(row);
            putName(row + TableLayout.TRANSPORT, name);
            TABLE.endChange(row);
        }
    }

    /** The path has a ring of that many bytes for each direction. */
    public static void ring(int connection, int bytes) {
        if (isIts(connection)) {
            TABLE.setInt(at(connection & INDEX_MASK) + TableLayout.RING, bytes);
        }
    }

    /** @param phase the ordinal number of the reader's phase. Called under the read lock, as all methods about what comes */
    public static void readerPhase(int connection, int phase) {
        if (isIts(connection)) {
            TABLE.setInt(in(connection) + TableLayout.PHASE, phase);
        }
    }

    public static void received(int connection, int bytes) {
        TABLE.add(in(connection) + TableLayout.BYTES, bytes);
    }

    public static void receivedOverTcp(int connection, int bytes) {
        int at = in(connection);
        TABLE.add(at + TableLayout.BYTES, bytes);
        TABLE.add(at + TableLayout.OVER_TCP, bytes);
    }

    /** @param phase the ordinal number of the writer's phase. Called under the write lock, as all methods about what goes */
    public static void writerPhase(int connection, int phase) {
        if (isIts(connection)) {
            TABLE.setInt(out(connection) + TableLayout.PHASE, phase);
        }
    }

    public static void sent(int connection, int bytes) {
        TABLE.add(out(connection) + TableLayout.BYTES, bytes);
    }

    public static void sentOverTcp(int connection, int bytes) {
        int at = out(connection);
        TABLE.add(at + TableLayout.BYTES, bytes);
        TABLE.add(at + TableLayout.OVER_TCP, bytes);
    }

    public static void turnaround(int connection) {
        TABLE.increment(out(connection) + TableLayout.TURNAROUNDS);
    }

    /** Waits of the reader, or of the writer, have ended: so many while the thread polled, and so many in which it has slept. */
    public static void waited(int connection, boolean reader, int found, int slept) {
        int at = reader ? in(connection) : out(connection);
        TABLE.add(at + TableLayout.FOUND, found);
        TABLE.add(at + TableLayout.SLEEPS, slept);
    }

    /** The reader, or the writer, has woken a thread of the peer. */
    public static void rang(int connection, boolean reader) {
        TABLE.add((reader ? in(connection) : out(connection)) + TableLayout.BELLS, 1);
    }

    /** Whether the row still belongs to the connection. Row 0 belongs to all that have no other. */
    private static boolean isIts(int connection) {
        int index = connection & INDEX_MASK;
        return index != 0 && TABLE.getInt(at(index) + TableLayout.GENERATION) == connection >>> INDEX_BITS;
    }

    private static int at(int index) {
        return TableLayout.HEADER_BYTES + index * TableLayout.ROW_BYTES;
    }

    private static int in(int connection) {
        return at(connection & INDEX_MASK) + TableLayout.IN;
    }

    private static int out(int connection) {
        return at(connection & INDEX_MASK) + TableLayout.OUT;
    }

    private static void putAddress(int at, InetAddress address) {
        if (address == null || address instanceof Inet4Address) {
            TABLE.setInt(at + 8, Integer.reverseBytes(0xffff)); // the bytes 0 0 ff ff, as on every machine that JFS has natives for
            int bytes = address == null ? 0 : address.hashCode(); // which is the address, and makes no garbage
            TABLE.setInt(at + 12, Integer.reverseBytes(bytes));
        } else {
            TABLE.put(at, address.getAddress(), 16);
        }
    }

    /** Without memory for it nothing is put: the caller, which may be in the middle of a connection's change, must go on. */
    private static void putName(int at, String name) {
        try {
            TABLE.put(at, Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), TableLayout.NAME_MAX), TableLayout.NAME_MAX);
        } catch (OutOfMemoryError e) {
            // The name is not shown.
        }
    }

    /** As {@link #putName}. @param text null is shown as no text */
    private static void putText(int at, int most, String text) {
        int length = 0;
        try {
            if (text != null) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                length = Math.min(bytes.length, most);
                while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) { // no part of a character
                    length--;
                }
                TABLE.put(at + Integer.BYTES, bytes, length);
            }
        } catch (OutOfMemoryError e) {
            length = 0;
        }
        Published.storeFence();
        TABLE.setInt(at, length);
    }
}
