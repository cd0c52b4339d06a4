package jfs.launcher.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
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

    private CgroupMemory fullest(String groups) throws Exception {
        return CgroupMemory.fullest(Files.writeString(folder.resolve("cgroup"), groups + "\n"), folder);
    }

    @Test
    void aGroupThatIsNearlyFullIsAnIssue() throws Exception {
        group("outer", "memory.max", "104857600", "memory.current", "99614720", "memory.stat", "inactive_file 1048576");
        group("outer/inner", "memory.max", "max", "memory.current", "1000");
        CgroupMemory it = fullest("0::/outer/inner");
        assertEquals(new CgroupMemory(folder.resolve("outer").toString(), 98_566_144, 104_857_600), it);
        assertEquals(Verdict.ISSUE, LimitChecks.memory(it).verdict());
    }

    @Test
    void copiesOfFilesDoNotCount() throws Exception {
        group("memory/a", "memory.limit_in_bytes", "104857600", "memory.usage_in_bytes", "104857600", "memory.stat",
                "total_inactive_file 52428800\ntotal_active_file 10485760");
        CgroupMemory it = fullest("4:memory:/a");
        assertEquals(104_857_600 - 62_914_560, it.used());
        assertEquals(Verdict.OK, LimitChecks.memory(it).verdict());
    }

    @Test
    void withoutALimitThereIsNothingToTell() throws Exception {
        group("memory/a", "memory.limit_in_bytes", "9223372036854771712", "memory.usage_in_bytes", "5");
        assertNull(fullest("4:memory:/a\n0::/"));
    }
}
