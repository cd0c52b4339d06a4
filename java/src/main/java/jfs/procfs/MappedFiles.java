package jfs.procfs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** The files that this process has mapped, such as its native libraries: {@code /proc/self/maps}, proc_pid_maps(5). */
public final class MappedFiles {

    private MappedFiles() {
    }

    /**
     * Takes time for each mapping: a process with many fast connections has thousands.
     *
     * @return the files' names without their folders. A file that was removed since is there too. Empty if this system does not tell
     */
    public static Set<String> names() {
        return names("self");
    }

    /** As {@link #names()}, of another process of this user. @param process its number in this PID namespace, or "self" */
    public static Set<String> names(String process) {
        Set<String> names = new TreeSet<>();
        try (BufferedReader lines = Files.newBufferedReader(Path.of("/proc", process, "maps"), StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.indexOf('/') >= 0) { // else the mapping is memory alone
                    names.add(line.substring(line.lastIndexOf('/') + 1));
                }
            }
        } catch (IOException | SecurityException e) {
            return Set.of();
        }
        return names;
    }
}
