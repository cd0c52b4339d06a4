package jfs.procfs;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What processes have open: {@code /proc/PID/fd}, proc_pid_fd(5). */
public final class Descriptors {

    private static final String SOCKET = "socket:[";
    private static final int LOOKED_AT_MAX = 4_096;

    private Descriptors() {
    }

    /**
     * Whether a process has a socket open. Takes some microseconds for each of its descriptors.
     *
     * @param process its number in this PID namespace
     * @return null if that can't be told: the process is of another user, there is none, or it has more than
     *         {@value #LOOKED_AT_MAX} descriptors and the socket is not among the first of them
     */
    public static Boolean holds(int process, long inode) {
        String wanted = SOCKET + inode + "]";
        int looked = 0;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc", String.valueOf(process), "fd"))) {
            for (Path descriptor : descriptors) {
                if (target(descriptor).equals(wanted)) {
                    return true;
                }
                if (++looked == LOOKED_AT_MAX) { // no process may make us look for long
                    return null;
                }
            }
        } catch (IOException | DirectoryIteratorException | SecurityException e) {
            return null;
        }
        return false;
    }

    /** The inode of each descriptor of this process that is a socket, of whatever kind; null if this system doesn't tell. */
    public static Map<Integer, Long> sockets() {
        Map<Integer, Long> sockets = new HashMap<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                String target = target(descriptor);
                if (target.startsWith(SOCKET)) {
                    sockets.put(Integer.parseInt(descriptor.getFileName().toString()),
                            Long.parseLong(target.substring(SOCKET.length(), target.length() - 1)));
                }
            }
        } catch (IOException | DirectoryIteratorException | SecurityException e) {
            return null;
        }
        return sockets;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }
}
