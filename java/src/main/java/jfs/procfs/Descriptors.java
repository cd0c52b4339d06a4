package jfs.procfs;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The open descriptors of processes: {@code /proc/PID/fd}, proc_pid_fd(5). */
public final class Descriptors {

    private static final String SOCKET = "socket:[";
    private static final int LOOKED_AT_MAX = 4_096;

    private Descriptors() {
    }

    /**
     * Whether a process has a socket open. Takes some microseconds for each of its descriptors.
     *
     * @param process its number in this PID namespace
     * @return null if that is not known: the process belongs to another user or does not exist, or it has at least
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
                if (++looked == LOOKED_AT_MAX) { // no process may keep this thread looking for long
                    return null;
                }
            }
        } catch (IOException | DirectoryIteratorException | SecurityException e) {
            return null;
        }
        return false;
    }

    /** The inodes of this process's sockets of all kinds, by descriptor. Null if this system does not tell. */
    public static Map<Integer, Long> sockets() {
        return sockets("self");
    }

    /** The same of another process, which has to be of this user. @param process its number in this PID namespace, or "self" */
    public static Map<Integer, Long> sockets(String process) {
        Map<Integer, Long> sockets = new HashMap<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc", process, "fd"))) {
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

    /** @param descriptor a file in {@code /proc/PID/fd}. @return what it is open for, or "" if it was closed meanwhile */
    public static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
