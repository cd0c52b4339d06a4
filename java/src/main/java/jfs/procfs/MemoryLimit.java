package jfs.procfs;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory this process may have: the machine's ({@code /proc/meminfo}), or less if one of its control groups has a
 * limit (cgroups(7), versions 1 and 2). A container sees its own limit at the root of the hierarchy that is mounted there, so
 * each group on the way from the process's own up to that root is read.
 */
public final class MemoryLimit {

    private static final String TOTAL = "MemTotal:";
    private static final String UNIT = " kB";
    /** A number with more digits than this is no limit. */
    private static final int DIGITS_MAX = 18;

    private final Path meminfo;
    private final Path groups;
    private final Path mounted;

    private MemoryLimit(Path meminfo, Path groups, Path mounted) {
        this.meminfo = meminfo;
        this.groups = groups;
        this.mounted = mounted;
    }

    /** The limit of this process in bytes; {@link Long#MAX_VALUE} if this system does not tell. */
    public static long bytes() {
        return new MemoryLimit(Path.of("/proc/meminfo"), Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup")).least();
    }

    /** The limit that these files tell, in bytes. */
    static long bytes(Path meminfo, Path groups, Path mounted) {
        return new MemoryLimit(meminfo, groups, mounted).least();
    }

    private long least() {
        long least = total();
        for (String line : lines(groups)) { // number:controllers:path
            String[] parts = line.split(":", 3);
            if (parts.length < 3) {
                continue;
            }
            if (parts[0].equals("0")) {
                least = Math.min(least, ofGroup(mounted, parts[2], "memory.max"));
                least = Math.min(least, ofGroup(mounted.resolve("unified"), parts[2], "memory.max"));
            } else if (List.of(parts[1].split(",")).contains("memory")) {
                least = Math.min(least, ofGroup(mounted.resolve("memory"), parts[2], "memory.limit_in_bytes"));
            }
        }
        return least;
    }

    private long total() {
        for (String line : lines(meminfo)) {
            if (line.startsWith(TOTAL) && line.endsWith(UNIT)) {
                String total = line.substring(TOTAL.length(), line.length() - UNIT.length()).strip();
                if (isNumber(total)) {
                    return Long.parseLong(total) << 10;
                }
            }
        }
        return Long.MAX_VALUE;
    }

    /** The least limit of a group and of the groups that contain it. */
    private static long ofGroup(Path root, String path, String file) {
        long least = Long.MAX_VALUE;
        int name = 0;
        while (name < path.length() && path.charAt(name) == '/') {
            name++;
        }
        Path group = root.resolve(path.substring(name)).normalize();
        for (Path at = group; at != null && at.startsWith(root); at = at.getParent()) {
            for (String line : lines(at.resolve(file))) {
                if (isNumber(line)) { // "max" is no limit
                    least = Math.min(least, Long.parseLong(line));
                }
            }
        }
        return least;
    }

    /** Uses no regular expression: every process reads this when it starts, and its first regular expression takes milliseconds. */
    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= DIGITS_MAX;
    }

    /** The file's lines; none if it can't be read. Uses no channel, whose thirty classes a young JVM would have to load. */
    private static String[] lines(Path file) {
        try (InputStream in = new FileInputStream(file.toFile())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n");
        } catch (IOException | SecurityException e) {
            return new String[0];
        }
    }
}
