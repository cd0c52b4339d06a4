package jfs.procfs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What this process has open: {@code /proc/self/fd}, proc_pid_fd(5). */
public final class Descriptors {

    private static final String SOCKET = "socket:[";

    private Descriptors() {
    }

    /** The inode of each descriptor that is a socket, of whatever kind; null if this system doesn't tell. */
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
        } catch (IOException | SecurityException e) {
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
