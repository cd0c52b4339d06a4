package jfs.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory outside the Java heap that connections of this process keep. */
public final class Resident {

    private Resident() {
    }

    /** Resident bytes of the shared segments that this process has mapped, or of its messages between hosts. */
    public static long bytes() throws IOException {
        if (Subject.current() == Subject.MX) {
            return Messages.held();
        }
        long kilobytes = 0;
        boolean segment = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                segment = line.contains("memfd:");
            } else if (segment && line.startsWith("Rss:")) {
                kilobytes += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return kilobytes << 10;
    }
}
