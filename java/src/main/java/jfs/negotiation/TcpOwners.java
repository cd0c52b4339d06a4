package jfs.negotiation;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/**
 * Which user owns an end of a TCP connection, as the kernel lists it in {@code /proc/net/tcp} and {@code tcp6} (R2).
 * Reading those takes as long as they are, so this is for peers of another user only, who are rare.
 *
 * <p>Each line has the local and the remote end as {@code ADDRESS:PORT} in hex (an address is one or four 32-bit words
 * in the machine's byte order), and the owner's number in the eighth column.
 */
final class TcpOwners {

    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int USER = 7;

    private TcpOwners() {
    }

    /** @return the user's number, or -1 if this network namespace has no such socket */
    static long userOf(Tuple end) {
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            try (BufferedReader lines = Files.newBufferedReader(Path.of(table))) {
                lines.readLine(); // the columns' names
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] columns = line.trim().split("\\s+");
                    if (columns.length > USER && end.connects(address(columns[LOCAL]), port(columns[LOCAL]),
                            address(columns[REMOTE]), port(columns[REMOTE]))) {
                        return Long.parseLong(columns[USER]);
                    }
                }
            } catch (IOException | IllegalArgumentException e) {
                // No such table (IPv6 may be off), or none that we can read: then nobody vouches for the owner.
            }
        }
        return -1;
    }

    private static int port(String end) {
        return Integer.parseInt(end.substring(end.indexOf(':') + 1), 16);
    }

    /** 16 bytes, IPv4 as IPv4-mapped. */
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
