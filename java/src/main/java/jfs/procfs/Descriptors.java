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

    private Descriptors() {
    }

    /** The inode of each descriptor of this process that is a socket, of whatever kind; null if this system doesn't tell. */
    public static Map<Integer, Long> sockets() {
        return sockets("self");
    }

    /**
     * The same of another process. Takes as long as that one has descriptors, some microseconds each.
     *
     * @param process its number in this PID namespace
     * @return null if this process may not know, as where the other is of another user, or there is no such process
     */
    public static Map<Integer, Long> sockets(int process) {
        return sockets(String.valueOf(process));
    }

    private static Map<Integer, Long> sockets(String process) {
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

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }
}
