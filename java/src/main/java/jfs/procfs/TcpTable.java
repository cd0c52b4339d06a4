package jfs.procfs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;

/**
 * The TCP sockets of all processes in this network namespace: {@code /proc/net/tcp} and {@code tcp6}, proc_pid_net(5).
 * The time to read these lists grows with their length.
 *
 * <p>A list is no picture of one moment. The kernel gives at most a page for each read(2), some 27 sockets, however large the buffer is
 * (Linux, fs/seq_file.c, seq_read_iter). It continues at the same hash bucket, behind as many sockets as it has given of that bucket
 * (net/ipv4/tcp_ipv4.c, tcp_seek_last_pos). A list may therefore miss a socket, or have it twice, if other sockets of its bucket come or
 * go between two reads. The caller reads the list again if it misses a socket that it knows.
 *
 * <p>Each line has the local and the remote end as {@code ADDRESS:PORT} in hex (an address is one or four 32-bit words
 * in the machine's byte order), the state in hex, the owner's number in the eighth column and the inode in the tenth.
 */
public final class TcpTable {

    /** {@link Row#state()} of a connection. */
    public static final int ESTABLISHED = 1;
    /** The same of a listening socket. */
    public static final int LISTEN = 10;

    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int USER = 7;
    private static final int INODE = 9;

    /** One socket. Addresses have 16 bytes, IPv4 as IPv4-mapped; the inode is 0 when no process has the socket any more. */
    public record Row(byte[] local, int localPort, byte[] remote, int remotePort, int state, long user, long inode) {

        private static Row of(String[] columns) {
            return new Row(address(columns[LOCAL]), port(columns[LOCAL]), address(columns[REMOTE]),
                    port(columns[REMOTE]), Integer.parseInt(columns[STATE], 16), Long.parseLong(columns[USER]),
                    Long.parseLong(columns[INODE]));
        }

        private static int port(String end) {
            return Integer.parseInt(end.substring(end.indexOf(':') + 1), 16);
        }

        private static byte[] address(String end) {
            ByteBuffer words = ByteBuffer.wrap(HexFormat.of().parseHex(end.substring(0, end.indexOf(':'))));
            ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
            if (words.remaining() == 4) {
                bytes.put(10, (byte) 0xff).put(11, (byte) 0xff).position(12);
            }
            while (words.hasRemaining()) {
                bytes.putInt(words.getInt());
            }
            return bytes.array();
        }
    }

    private TcpTable() {
    }

    /** The first row that is wanted, or null if there is none. Reads no further than that row. */
    public static Row find(Predicate<Row> wanted) {
        return find("self", wanted);
    }

    /**
     * The same in the network namespace of another process. A process that has ended has no list: if it ends meanwhile, rows are missing.
     *
     * @param process its number in this PID namespace, or "self"
     */
    public static Row find(String process, Predicate<Row> wanted) {
        for (String table : List.of("tcp", "tcp6")) {
            try (BufferedReader lines = Files.newBufferedReader(Path.of("/proc", process, "net", table))) {
                lines.readLine(); // the columns' names
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] columns = line.trim().split("\\s+");
                    Row row = columns.length > INODE ? Row.of(columns) : null;
                    if (row != null && wanted.test(row)) {
                        return row;
                    }
                }
            } catch (IOException | IllegalArgumentException | SecurityException e) {
                // The table does not exist (IPv6 may be off), or can't be read.
            }
        }
        return null;
    }
}
