package jfs.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The shared segments that this process has mapped. */
public final class Segments {

    private Segments() {
    }

    /** Their number. A segment that is mapped twice counts twice. */
    public static long mappings() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(Segments::isSegment).count();
        }
    }

    /** Their resident bytes. A segment that is mapped twice counts twice. */
    public static long residentBytes() throws IOException {
        long kilobytes = 0;
        boolean segment = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                segment = isSegment(line);
            } else if (segment && line.startsWith("Rss:")) {
                kilobytes += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return kilobytes << 10;
    }

    /** The table of connections is a memfd too, and no segment. */
    private static boolean isSegment(String line) {
        return line.contains("memfd:") && !line.contains("memfd:jfs-connections");
    }
}
