package jfs.procfs;

/**
 * A control group that this process is in, or one that contains such a group, with a limit of memory (cgroups(7), versions 1 and 2).
 * {@link MemoryLimit#groups} finds the groups. {@link #used} and {@link #room} read files of the kernel at each call. Thread-safe.
 */
public final class MemoryGroup {

    private final String folder;
    private final boolean second;
    private final long limit;

    /**
     * @param folder the group's
     * @param second whether it is a group of version 2
     * @param limit bytes
     */
    MemoryGroup(String folder, boolean second, long limit) {
        this.folder = folder;
        this.second = second;
        this.limit = limit;
    }

    /** @return the folder of the group, which names it */
    public String folder() {
        return folder;
    }

    /** @return the limit when the group was found, bytes */
    public long limit() {
        return limit;
    }

    /**
     * How much of its memory the group has in use. The kernel's copies of files do not count, because the kernel drops them when memory gets
     * short. Shared memory counts.
     *
     * @return bytes; negative if the kernel does not tell
     */
    public long used() {
        long used = MemoryLimit.number(folder + (second ? "/memory.current" : "/memory.usage_in_bytes"));
        if (used < 0) {
            return used;
        }
        String prefix = second ? "" : "total_"; // version 1 counts the groups below this one only in these lines
        for (String line : MemoryLimit.lines(folder + "/memory.stat")) {
            if (line.startsWith(prefix + "inactive_file ") || line.startsWith(prefix + "active_file ")) {
                used -= Math.max(0, MemoryLimit.parse(line.substring(line.indexOf(' ') + 1)));
            }
        }
        return Math.max(0, used);
    }

    /** @return how much more memory the group may take, bytes; {@link Long#MAX_VALUE} if the kernel does not tell */
    public long room() {
        long used = used();
        return used < 0 ? Long.MAX_VALUE : Math.max(0, limit - used);
    }
}
