package jfs.launcher.selftest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import jfs.nativelib.Posix;
import jfs.procfs.MemoryGroup;
import jfs.procfs.MemoryLimit;

/** The limits of this process: descriptors, mappings, cores, memory. */
final class LimitChecks {

    /** With fewer descriptors a server of some hundred connections has no room for fast ones. */
    private static final int DESCRIPTORS_LEAST = 1_024;
    /** The kernel's default of vm.max_map_count. */
    private static final int MAPPINGS_USUAL = 65_530;
    /** Little of a control group's memory is left if less than this part of its limit is free, one in so many; or less than a path needs. */
    private static final int FREE_LEAST = 10;
    /** A connection of the default size needs a little more than 13 MB of room ({@code jfs.transport.sci.MemoryBudget}). */
    private static final long PATH_NEEDS = 14L << 20;

    private LimitChecks() {
    }

    /** @param natives whether the native library is loaded */
    static List<Finding> all(boolean natives) {
        List<Finding> all = new ArrayList<>();
        if (natives) {
            all.add(descriptors(Posix.descriptorLimit()));
        }
        all.add(mappings(PlatformChecks.lines(Path.of("/proc/sys/vm/max_map_count"))));
        all.add(cores(Runtime.getRuntime().availableProcessors()));
        all.add(memory(MemoryLimit.groups()));
        return all;
    }

    static Finding descriptors(int limit) {
        String what = limit + "; JFS leaves half of them to the program";
        return limit >= DESCRIPTORS_LEAST || limit < 0 ? Finding.ok("descriptor limit", what)
                : Finding.issue("descriptor limit", what + ", and each fast connection takes one",
                        "Raise the limit: ulimit -n 65536, or LimitNOFILE= of a systemd service.");
    }

    static Finding mappings(List<String> file) {
        String title = "mapping limit";
        int limit;
        try {
            limit = file.isEmpty() ? -1 : Integer.parseInt(file.get(0).strip());
        } catch (NumberFormatException e) {
            limit = -1;
        }
        if (limit < 0) {
            return Finding.absent(title, "vm.max_map_count can't be read");
        }
        return limit >= MAPPINGS_USUAL ? Finding.ok(title, "vm.max_map_count is " + limit)
                : Finding.issue(title, "vm.max_map_count is " + limit + "; JFS leaves half of the mappings to the program",
                        "Raise it, as root: sysctl vm.max_map_count=" + MAPPINGS_USUAL + ".");
    }

    static Finding cores(int cores) {
        return cores > 1 ? Finding.ok("cores", cores + "; a waiting thread polls before it sleeps")
                : Finding.issue("cores", "1; with one core no thread polls, so connections gain less",
                        "Give the process two cores or more (taskset, cpuset, the CPU limit of the container).");
    }

    /** @param limited the control groups of this process that have a limit */
    static Finding memory(List<MemoryGroup> limited) {
        String title = "memory of the control group";
        MemoryGroup group = limited.stream().min(Comparator.comparingLong(MemoryGroup::room)).orElse(null);
        long used = group == null ? -1 : group.used();
        if (used < 0) {
            return Finding.absent(title, "no limit, or it can't be read");
        }
        String what = (used >> 20) + " MB of " + (group.limit() >> 20) + " MB are in use (" + group.folder() + ")";
        return group.limit() - used >= Math.max(group.limit() / FREE_LEAST, PATH_NEEDS) ? Finding.ok(title, what)
                : Finding.issue(title, what + "; shared memory counts too, and JFS makes no fast path where less than "
                        + (PATH_NEEDS >> 20) + " MB are left, because the kernel kills a process of a group that is full",
                        "Raise the memory limit of the container or service, or give the JVM a smaller heap (-Xmx).");
    }
}
