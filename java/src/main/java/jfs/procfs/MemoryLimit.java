package jfs.procfs;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How much memory this process may have: the machine's ({@code /proc/meminfo}), or less if one of its control groups has a
 * limit (cgroups(7), versions 1 and 2). A container sees its own limit at the root of the hierarchy that is mounted there, so
 * each group on the way from the process's own up to that root is read. Thread-safe. No method throws; what can't be read is no limit.
 */
public final class MemoryLimit {

    /**
     * Is returned for the groups if the list of a process's groups can't be read, because the process has no descriptor left for example.
     * Has no elements. To be compared by identity.
     */
    public static final List<MemoryGroup> UNKNOWN = Collections.unmodifiableList(new ArrayList<>());

    private static final String TOTAL = "MemTotal:";
    private static final String UNIT = " kB";
    /** A number with more digits than this is no limit. */
    private static final int DIGITS_MAX = 18;

    private static final MemoryLimit OF_THIS_PROCESS =
            new MemoryLimit(Path.of("/proc/meminfo"), Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));

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
        return OF_THIS_PROCESS.least();
    }

    /** The limit that these files tell, in bytes. */
    static long bytes(Path meminfo, Path groups, Path mounted) {
        return new MemoryLimit(meminfo, groups, mounted).least();
    }

    /**
     * The control groups whose limit holds for this process: its own and those that contain it, as far as they have a limit.
     *
     * @return none if no group has a limit that can be read; {@link #UNKNOWN} if the list of the groups can't be read
     */
    public static List<MemoryGroup> groups() {
        return OF_THIS_PROCESS.limited();
    }

    /**
     * The groups that these files tell.
     *
     * @param groups the list of a process's groups, as {@code /proc/self/cgroup}
     * @param mounted where the control groups are mounted, as {@code /sys/fs/cgroup}
     */
    public static List<MemoryGroup> groups(Path groups, Path mounted) {
        return new MemoryLimit(null, groups, mounted).limited();
    }

    private long least() {
        long least = total();
        for (MemoryGroup group : limited()) {
            least = Math.min(least, group.limit());
        }
        return least;
    }

    private List<MemoryGroup> limited() {
        String[] lines = lines(groups.toString());
        if (lines.length == 0) {
            return UNKNOWN;
        }
        List<MemoryGroup> found = new ArrayList<>();
        for (String line : lines) { // number:controllers:path
            String[] parts = line.split(":", 3);
            if (parts.length < 3) {
                continue;
            }
            if (parts[0].equals("0")) {
                onTheWay(mounted, parts[2], true, found);
                onTheWay(mounted.resolve("unified"), parts[2], true, found);
            } else if (List.of(parts[1].split(",")).contains("memory")) {
                onTheWay(mounted.resolve("memory"), parts[2], false, found);
            }
        }
        return found;
    }

    private long total() {
        for (String line : lines(meminfo.toString())) {
            if (line.startsWith(TOTAL) && line.endsWith(UNIT)) {
                long total = parse(line.substring(TOTAL.length(), line.length() - UNIT.length()).strip());
                if (total >= 0) {
                    return total << 10;
                }
            }
        }
        return Long.MAX_VALUE;
    }

    /** Adds a group and the groups that contain it, as far as they have a limit. */
    private static void onTheWay(Path root, String path, boolean second, List<MemoryGroup> to) {
        int name = 0;
        while (name < path.length() && path.charAt(name) == '/') {
            name++;
        }
        Path group = root.resolve(path.substring(name)).normalize();
        for (Path at = group; at != null && at.startsWith(root); at = at.getParent()) {
            long limit = number(at + (second ? "/memory.max" : "/memory.limit_in_bytes")); // "max" is no limit
            if (limit >= 0) {
                to.add(new MemoryGroup(at.toString(), second, limit));
            }
        }
    }

    /** @return the number that the file has in its first line; negative if it has none */
    static long number(String file) {
        String[] lines = lines(file);
        return lines.length == 0 ? -1 : parse(lines[0]);
    }

    /**
     * Uses no regular expression: every process reads this when it starts, and its first regular expression takes milliseconds.
     *
     * @return -1 if the text is no number, or one near 2^63, by which version 1 says that there is no limit
     */
    static long parse(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return -1;
            }
        }
        return text.isEmpty() || text.length() > DIGITS_MAX ? -1 : Long.parseLong(text);
    }

    /** The file's lines; none if it can't be read. Uses no channel, whose thirty classes a young JVM would have to load. */
    static String[] lines(String file) {
        try (InputStream in = new FileInputStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n");
        } catch (IOException | SecurityException e) {
            return new String[0];
        }
    }
}
