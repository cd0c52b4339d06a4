package jfs.launcher.selftest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How much memory a control group has in use, and its limit (cgroups(7), versions 1 and 2). The kernel's copies of files, which it drops
 * when memory gets short, do not count as used.
 *
 * @param name the group's folder
 * @param used bytes
 * @param limit bytes
 */
record CgroupMemory(String name, long used, long limit) {

    /** More than any machine has: version 1 writes "no limit" as a number near 2^63. */
    private static final long NO_LIMIT = 1L << 60;

    /** The files of one version of control groups. */
    private enum Version {
        V1("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "total_active_file"),
        V2("memory.max", "memory.current", "inactive_file", "active_file");

        private final String limit;
        private final String used;
        private final List<String> files;

        Version(String limit, String used, String... files) {
            this.limit = limit;
            this.used = used;
            this.files = List.of(files);
        }
    }

    /** @return that of this process's groups which has the least part of its memory left; null if none has a limit that can be read */
    static CgroupMemory fullest() {
        return fullest(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * @param groups the list of the process's groups
     * @param mounted where the control groups are mounted
     */
    static CgroupMemory fullest(Path groups, Path mounted) {
        List<CgroupMemory> found = new ArrayList<>();
        for (String line : PlatformChecks.lines(groups)) { // number:controllers:path
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[0].equals("0")) {
                onTheWay(mounted, parts[2], Version.V2, found);
                onTheWay(mounted.resolve("unified"), parts[2], Version.V2, found);
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory")) {
                onTheWay(mounted.resolve("memory"), parts[2], Version.V1, found);
            }
        }
        return found.stream().min(Comparator.comparingDouble(it -> (double) (it.limit - it.used) / it.limit)).orElse(null);
    }

    /** Adds the group, and the groups that contain it, as far as they have a limit. */
    private static void onTheWay(Path root, String path, Version version, List<CgroupMemory> to) {
        for (Path at = root.resolve(path.replaceFirst("^/+", "")).normalize(); at != null && at.startsWith(root); at = at.getParent()) {
            long limit = number(PlatformChecks.lines(at.resolve(version.limit)));
            long used = number(PlatformChecks.lines(at.resolve(version.used)));
            if (limit > 0 && limit < NO_LIMIT && used >= 0) {
                for (String line : PlatformChecks.lines(at.resolve("memory.stat"))) {
                    String[] words = line.split(" ");
                    used -= words.length == 2 && version.files.contains(words[0]) ? Math.max(0, number(List.of(words[1]))) : 0;
                }
                to.add(new CgroupMemory(at.toString(), Math.max(0, used), limit));
            }
        }
    }

    /** @return -1 if it is no number, such as "max" */
    private static long number(List<String> lines) {
        return !lines.isEmpty() && lines.get(0).matches("[0-9]{1,18}") ? Long.parseLong(lines.get(0)) : -1;
    }
}
