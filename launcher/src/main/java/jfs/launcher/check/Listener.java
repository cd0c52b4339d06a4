package jfs.launcher.check;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jfs.negotiation.policy.MappedAddress;
import jfs.procfs.Descriptors;
import jfs.procfs.TcpTable;

/**
 * The sockets that listen for connections to one address and port of this host, as the kernel lists them.
 *
 * @param rows those that get such a connection: of the address itself, else of all addresses
 */
record Listener(List<TcpTable.Row> rows) {

    private static final Path PROC = Path.of("/proc");

    /** @return null if this system does not tell which sockets listen */
    static Listener of(InetAddress address, int port) {
        if (!Files.isReadable(PROC.resolve("net/tcp")) && !Files.isReadable(PROC.resolve("net/tcp6"))) {
            return null;
        }
        List<TcpTable.Row> all = new ArrayList<>();
        TcpTable.find(row -> {
            if (row.state() == TcpTable.LISTEN && row.localPort() == port) {
                all.add(row);
            }
            return false;
        });
        List<byte[]> addresses = new ArrayList<>(List.of(MappedAddress.of(address)));
        if (address instanceof Inet4Address) {
            addresses.add(MappedAddress.anyIpv4());
        }
        addresses.add(new byte[16]); // a socket of IPv6, which takes connections by IPv4 too unless it is told otherwise
        for (byte[] local : addresses) {
            List<TcpTable.Row> rows = all.stream().filter(row -> Arrays.equals(row.local(), local)).toList();
            if (!rows.isEmpty()) {
                return new Listener(rows);
            }
        }
        return new Listener(List.of());
    }

    boolean exists() {
        return !rows.isEmpty();
    }

    /** Whether a process has one of these sockets. @return null if that can't be known, because it is of another user for example */
    Boolean isOf(int process) {
        boolean known = true;
        for (TcpTable.Row row : rows) {
            Boolean holds = process <= 0 ? null : Descriptors.holds(process, row.inode());
            if (Boolean.TRUE.equals(holds)) {
                return true;
            }
            known &= holds != null;
        }
        return known ? false : null;
    }

    /** The number of a process that has one of these sockets; 0 if none is found that this user may look into. */
    int process() {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[1-9]*")) {
            for (Path process : processes) {
                int number = Integer.parseInt(process.getFileName().toString());
                if (Boolean.TRUE.equals(isOf(number))) {
                    return number;
                }
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException e) {
            // this system has no such list
        }
        return 0;
    }
}
