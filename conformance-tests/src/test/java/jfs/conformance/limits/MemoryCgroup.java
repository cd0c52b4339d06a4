package jfs.conformance.limits;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jfs.conformance.harness.processes.Child;
import jfs.testing.Await;

/** A control group of memory that a test makes, of version 1 or 2 (cgroups(7)). */
final class MemoryCgroup implements AutoCloseable {

    private static final Path V1 = Path.of("/sys/fs/cgroup/memory");
    private static final Path V2 = Path.of("/sys/fs/cgroup");

    private final Path folder;
    private final Path limit;
    private final Path usage;
    private final boolean one;

    private MemoryCgroup(Path folder, boolean one) {
        this.folder = folder;
        this.one = one;
        this.limit = folder.resolve(one ? "memory.limit_in_bytes" : "memory.max");
        this.usage = folder.resolve(one ? "memory.usage_in_bytes" : "memory.current");
    }

    /** Makes a group without a limit. Skips the test if this machine allows no such group. */
    static MemoryCgroup make() throws IOException {
        boolean one = Files.isDirectory(V1);
        Path made = (one ? V1 : V2).resolve("jfs-test-" + ProcessHandle.current().pid());
        try {
            Files.createDirectory(made);
        } catch (IOException e) {
            assumeTrue(false, "a memory cgroup can't be made: " + e);
        }
        MemoryCgroup group = new MemoryCgroup(made, one);
        if (!Files.exists(group.limit)) {
            Files.delete(made);
            assumeTrue(false, "the cgroup " + made + " has no limit of memory: there is no " + group.limit);
        }
        return group;
    }

    /**
     * The process is in this group from now on. Pages that were charged before stay with its former group. So the limit is on new pages.
     */
    void take(Child child) throws IOException {
        Files.writeString(folder.resolve("cgroup.procs"), "" + child.pid());
    }

    /**
     * Limits the group to what it has in use now, and this many bytes more. The kernel's copies of files do not count as in use, because
     * the kernel drops them when the group needs the memory.
     */
    void leave(long room) throws IOException {
        long used = Long.parseLong(Files.readString(usage).strip());
        for (String line : Files.readAllLines(folder.resolve("memory.stat"))) {
            if (line.matches((one ? "total_" : "") + "(in)?active_file [0-9]+")) {
                used -= Long.parseLong(line.substring(line.indexOf(' ') + 1));
            }
        }
        limit(used + room);
    }

    /** Whether the bytes in the group's TCP sockets count as memory of the group. In version 1 they have a limit of their own. */
    boolean countsSockets() {
        return !one;
    }

    /** @param bytes the limit from now on */
    void limit(long bytes) throws IOException {
        Files.writeString(limit, "" + bytes);
    }

    /** Removes the group as soon as its processes, which the test has ended, are gone. */
    @Override
    public void close() throws Exception {
        Await.until("the group is empty", () -> Files.readString(folder.resolve("cgroup.procs")).isEmpty());
        Files.delete(folder);
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
