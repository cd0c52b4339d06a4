package jfs.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A process whose {@code /proc/PID} the kernel has not let this process look into. */
public final class ClosedProcess {

    private ClosedProcess() {
    }

    /**
     * Says why. Mostly the process is of another user. The kernel also protects processes of this user (ptrace(2), access mode checking):
     * one with more capabilities, one of another group, and one that is not dumpable, such as a program with setcap.
     *
     * @param pid its number in this PID namespace
     * @param request what its user, and root, may do with it, such as "look into"
     */
    public static String why(String pid, String request) {
        Set<String> own = users("self");
        return !own.isEmpty() && own.equals(users(pid))
                ? "the kernel lets only root look into process " + pid + ": its java has capabilities of its own (setcap), it has another"
                        + " group, or it has made itself undumpable"
                : "process " + pid + " is of another user: only that user, and root, may " + request + " it";
    }

    /** The real, the effective and the saved user of a process. Every user may read them. Empty if the process has ended. */
    private static Set<String> users(String pid) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", pid, "status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith("Uid:")) {
                    List<String> columns = Arrays.asList(line.split("\\s+"));
                    return Set.copyOf(columns.subList(1, 4));
                }
            }
        } catch (IOException e) {
            return Set.of();
        }
        return Set.of();
    }
}
