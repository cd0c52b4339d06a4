package jfs.monitor;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jfs.memory.Published;
import jfs.memory.Shared;

/**
 * Reads the table of a process ({@link TableLayout}), of this one or of another. The other process may be of any version, and its table may
 * hold anything: what makes no sense is left out. One thread at a time uses an instance. No method blocks.
 */
public final class TableReader {

    /** How often a row is read again that changes meanwhile. Then it is left out. */
    private static final int TRIES = 1_000;

    private static final List<String> STATES = List.of("PLAIN", "CANDIDATE", "OFFERED", "ATTACHED", "REFUSED", "CLOSING", "CLOSED");
    private static final List<String> READER_PHASES = List.of("TCP", "BOTH", "FAST", "ENDED", "BROKEN");
    private static final List<String> WRITER_PHASES = List.of("TCP", "TCP_ONLY", "FAST", "BROKEN", "ENDED");
    private static final List<String> COUNTERS =
            List.of("connections", "attached", "switchedOut", "switchedIn", "offers", "joined", "retries", "plainChannels");

    private final Shared table;
    private final byte[] text = new byte[TableLayout.HEADER_TEXT_MAX];

    /**
     * @param memory direct, the table's whole file
     * @throws IllegalArgumentException if it is no table, or one of another layout; the message says which
     */
    public TableReader(ByteBuffer memory) {
        int bytes = memory.capacity();
        if (bytes < TableLayout.HEADER_BYTES || new Published(memory).getLong(TableLayout.MAGIC_AT) != TableLayout.MAGIC) {
            throw new IllegalArgumentException("it has no table of connections");
        }
        table = new Shared(memory, 0, bytes);
        int version = table.getIntAcquire(TableLayout.LAYOUT_VERSION_AT);
        if (version != TableLayout.LAYOUT_VERSION || table.getInt(TableLayout.ROW_BYTES_AT) != TableLayout.ROW_BYTES) {
            throw new IllegalArgumentException("it runs another version of JFS, whose table of connections has layout " + version
                    + " and not " + TableLayout.LAYOUT_VERSION);
        }
    }

    /** When JFS was first used in that process, milliseconds since 1970. */
    public long since() {
        return table.getLong(TableLayout.SINCE_AT);
    }

    /** The setting jfs.upgrade.after of that process. */
    public int upgradeAfter() {
        return table.getInt(TableLayout.UPGRADE_AFTER_AT);
    }

    /** Why no connection of that process can be fast; empty if some can. */
    public String unavailable() {
        return text(TableLayout.UNAVAILABLE_AT, TableLayout.HEADER_TEXT_MAX);
    }

    /** Why the program's channels are not JFS's; empty if they are, or need not be. */
    public String channelsUnavailable() {
        return text(TableLayout.CHANNELS_AT, TableLayout.HEADER_TEXT_MAX);
    }

    /** How many connections there was no row for. */
    public long withoutRow() {
        return table.getLong(TableLayout.WITHOUT_ROW_AT);
    }

    /** The counters of {@link jfs.stat.Stats}, by name. */
    public Map<String, Long> counters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        for (int i = 0; i < COUNTERS.size(); i++) {
            counters.put(COUNTERS.get(i), table.getLongAcquire(TableLayout.COUNTERS_AT + i * Long.BYTES));
        }
        return counters;
    }

    /** For each reason that has occurred the number of connections that are, or stayed, on TCP for it. */
    public Map<String, Long> reasons() {
        Map<String, Long> reasons = new LinkedHashMap<>();
        for (int i = 0; i < TableLayout.REASONS_MAX; i++) {
            int at = TableLayout.REASONS_AT + i * TableLayout.REASON_BYTES;
            long count = table.getLongAcquire(at + TableLayout.NAME_MAX);
            if (count > 0) {
                reasons.put(name(at), count);
            }
        }
        return reasons;
    }

    /** The connections that are open now. */
    public List<ConnectionView> connections() {
        int rows = (table.length() - TableLayout.HEADER_BYTES) / TableLayout.ROW_BYTES;
        int used = Math.min(table.getIntAcquire(TableLayout.ROWS_USED_AT), rows);
        List<ConnectionView> views = new ArrayList<>();
        for (int index = 1; index < used; index++) {
            ConnectionView view = connection(TableLayout.HEADER_BYTES + index * TableLayout.ROW_BYTES);
            if (view != null) {
                views.add(view);
            }
        }
        return views;
    }

    /** Reads a row as it was at one moment (MONITOR-1). @return null if the row is free, or never stops changing */
    ConnectionView connection(int row) {
        for (int i = 0; i < TRIES; i++) {
            int sequence = table.getIntAcquire(row + TableLayout.SEQUENCE);
            Published.loadFence();
            ConnectionView view = (sequence & 1) == 0 ? copy(row) : null;
            Published.loadFence();
            if ((sequence & 1) == 0 && table.getInt(row + TableLayout.SEQUENCE) == sequence) {
                return view;
            }
            Thread.onSpinWait();
        }
        return null;
    }

    private ConnectionView copy(int row) {
        long since = table.getLong(row + TableLayout.BEGAN);
        if (since == 0) {
            return null;
        }
        byte[] address = new byte[16];
        table.get(row + TableLayout.ADDRESS, address, 0, address.length);
        int kind = table.getInt(row + TableLayout.KIND);
        int reason = table.getInt(row + TableLayout.REASON);
        boolean known = reason > 0 && reason <= TableLayout.REASONS_MAX;
        int out = row + TableLayout.OUT;
        return new ConnectionView(row, address(address), table.getInt(row + TableLayout.PORT), table.getInt(row + TableLayout.OWN_PORT),
                (kind & ~TableLayout.ACCEPTED) == TableLayout.CHANNEL, (kind & TableLayout.ACCEPTED) != 0, since,
                named(STATES, table.getInt(row + TableLayout.STATE)), name(row + TableLayout.TRANSPORT),
                known ? name(TableLayout.REASONS_AT + (reason - 1) * TableLayout.REASON_BYTES) : "",
                text(row + TableLayout.DETAIL, TableLayout.DETAIL_MAX), Math.max(0, table.getInt(row + TableLayout.RING)),
                table.getInt(out + TableLayout.TURNAROUNDS), direction(row + TableLayout.IN, READER_PHASES), direction(out, WRITER_PHASES));
    }

    private ConnectionView.Direction direction(int at, List<String> phases) {
        return new ConnectionView.Direction(named(phases, table.getInt(at + TableLayout.PHASE)), table.getLong(at + TableLayout.BYTES),
                table.getLong(at + TableLayout.OVER_TCP), table.getLong(at + TableLayout.FOUND), table.getLong(at + TableLayout.SLEEPS),
                table.getLong(at + TableLayout.BELLS));
    }

    /**
     * How many bytes of one direction wait in the path: its sender has counted them, and its receiver has not. A thread counts after it has
     * moved the bytes of a call, so the number may be wrong by what one call moves.
     *
     * @param sent the sender's end, which this reader has shown
     * @param peer shows the receiver's end, as {@code received}
     * @return -1 if one of the two has ended meanwhile
     */
    public long waiting(ConnectionView sent, TableReader peer, ConnectionView received) {
        long in = byPath(peer.table, received.row() + TableLayout.IN);
        long out = byPath(table, sent.row() + TableLayout.OUT);
        Published.loadFence();
        return shows(sent) && peer.shows(received) ? Math.max(0, out - in) : -1;
    }

    private static long byPath(Shared table, int direction) {
        long overTcp = table.getLongAcquire(direction + TableLayout.OVER_TCP);
        return table.getLongAcquire(direction + TableLayout.BYTES) - overTcp;
    }

    private boolean shows(ConnectionView view) {
        return table.getLong(view.row() + TableLayout.BEGAN) == view.since()
                && table.getInt(view.row() + TableLayout.PORT) == view.port();
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // only for another length
        }
    }

    private static String named(List<String> names, int ordinal) {
        return ordinal >= 0 && ordinal < names.size() ? names.get(ordinal) : "?";
    }

    private String name(int at) {
        table.get(at, text, 0, TableLayout.NAME_MAX);
        int length = 0;
        while (length < TableLayout.NAME_MAX && text[length] > 0) {
            length++;
        }
        return printable(new String(text, 0, length, StandardCharsets.US_ASCII));
    }

    private String text(int at, int most) {
        int length = Math.max(0, Math.min(table.getIntAcquire(at), most));
        table.get(at + Integer.BYTES, text, 0, length);
        return printable(new String(text, 0, length, StandardCharsets.UTF_8));
    }

    /** What another process has written must not command the terminal on which it is shown, nor look like other lines. */
    private static String printable(String text) {
        StringBuilder shown = new StringBuilder(text);
        for (int i = 0; i < shown.length(); i++) {
            if (Character.isISOControl(shown.charAt(i))) {
                shown.setCharAt(i, '?');
            }
        }
        return shown.toString();
    }
}
