package jfs.launcher.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import jfs.procfs.MemoryLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of control groups, by files like the kernel's. */
class CgroupMemoryIT {

    @TempDir
    Path folder;

    private void group(String path, String... namesAndContents) throws Exception {
        Path group = Files.createDirectories(folder.resolve(path));
        for (int i = 0; i < namesAndContents.length; i += 2) {
            Files.writeString(group.resolve(namesAndContents[i]), namesAndContents[i + 1] + "\n");
        }
    }

    private Finding memory(String groups) throws Exception {
        return LimitChecks.memory(MemoryLimit.groups(Files.writeString(folder.resolve("cgroup"), groups + "\n"), folder));
    }

    @Test
    void aGroupThatIsNearlyFullIsAnIssue() throws Exception {
        group("outer", "memory.max", "104857600", "memory.current", "99614720", "memory.stat", "inactive_file 1048576");
        group("outer/inner", "memory.max", "max", "memory.current", "1000");
        Finding it = memory("0::/outer/inner");
        assertEquals(Verdict.ISSUE, it.verdict());
        assertTrue(it.what().startsWith("94 MB of 100 MB are in use (" + folder.resolve("outer") + ")"), it.what());
    }

    /** A tenth of a small group is less than a connection needs. */
    @Test
    void aSmallGroupNeedsMoreThanATenth() throws Exception {
        group("outer", "memory.max", "104857600", "memory.current", "92274688"); // 100 MB, 88 MB
        assertEquals(Verdict.ISSUE, memory("0::/outer").verdict());
    }

    @Test
    void copiesOfFilesDoNotCount() throws Exception {
        group("memory/a", "memory.limit_in_bytes", "104857600", "memory.usage_in_bytes", "104857600", "memory.stat",
                "total_inactive_file 52428800\ntotal_active_file 10485760");
        assertEquals(Finding.ok("memory of the control group", "40 MB of 100 MB are in use (" + folder.resolve("memory/a") + ")"),
                memory("4:memory:/a"));
    }

    @Test
    void withoutALimitThereIsNothingToTell() throws Exception {
        group("memory/a", "memory.limit_in_bytes", "9223372036854771712", "memory.usage_in_bytes", "5");
        assertEquals(Verdict.ABSENT, memory("4:memory:/a\n0::/").verdict());
    }
}
