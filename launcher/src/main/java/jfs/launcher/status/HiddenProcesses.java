package jfs.launcher.status;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether {@code /proc} is mounted so that this process does not see the processes of other users (proc(5), hidepid). */
public final class HiddenProcesses {

    private HiddenProcesses() {
    }

    /** @return the mount option, such as "hidepid=2"; null if it is not set, does not hold for this process, or can't be known */
    public static String option() {
        String found = null;
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/mounts"), StandardCharsets.ISO_8859_1)) {
                String[] columns = line.split(" ");
                if (columns.length > 3 && columns[1].equals("/proc")) { // the last one counts: it lies above the others
                    found = hiding(columns[3]);
                }
            }
        } catch (IOException e) {
            return null;
        }
        return found == null || Files.isReadable(Path.of("/proc/1/stat")) ? null : found; // root sees all, and so does the group gid=
    }

    private static String hiding(String options) {
        for (String option : options.split(",")) {
            if (option.startsWith("hidepid=") && !option.equals("hidepid=0") && !option.equals("hidepid=off")) {
                return option;
            }
        }
        return null;
    }
}
