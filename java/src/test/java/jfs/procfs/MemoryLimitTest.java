package jfs.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory limit is read from files as kernels and container runtimes make them. */
class MemoryLimitTest {

    private static final long TOTAL = 24_000_000L << 10;

    @TempDir
    private Path folder;

    @BeforeEach
    void machine() throws IOException {
        write("meminfo", "MemTotal:       24000000 kB\nMemFree:        1000 kB\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private long bytes() {
        return MemoryLimit.bytes(folder.resolve("meminfo"), folder.resolve("cgroup"), folder.resolve("sys"));
    }

    @Test
    void noGroups() {
        assertEquals(TOTAL, bytes());
    }

    @Test
    void nothingIsKnown() throws Exception {
        Files.delete(folder.resolve("meminfo"));
        assertEquals(Long.MAX_VALUE, bytes());
    }

    @Test
    void version2() throws Exception {
        write("cgroup", "0::/user.slice/app.scope\n");
        write("sys/user.slice/app.scope/memory.max", "max\n");
        assertEquals(TOTAL, bytes());
        write("sys/user.slice/memory.max", "2000000000\n");
        assertEquals(2_000_000_000L, bytes());
        write("sys/user.slice/app.scope/memory.max", "1000000000\n");
        assertEquals(1_000_000_000L, bytes());
    }

    /** The root that a container sees is its own group. The group's path is as seen from outside, or in a namespace of its own. */
    @Test
    void aContainer() throws Exception {
        write("sys/memory.max", "314572800\n");
        for (String path : new String[] {"/docker/0123", "/", "/../../other"}) {
            write("cgroup", "0::" + path + "\n");
            assertEquals(path.contains("..") ? TOTAL : 300 << 20, bytes(), path);
        }
    }

    @Test
    void version1BesideVersion2() throws Exception {
        write("cgroup", "4:cpu,memory:/job\n2:cpuacct:/\n0::/\n");
        write("sys/memory/job/memory.limit_in_bytes", "536870912\n");
        write("sys/memory/memory.limit_in_bytes", "9223372036854771712\n"); // no limit
        assertEquals(512 << 20, bytes());
        write("sys/unified/memory.max", "300000000\n");
        assertEquals(300_000_000, bytes());
    }

    private List<MemoryGroup> groups() {
        return MemoryLimit.groups(folder.resolve("cgroup"), folder.resolve("sys"));
    }

    /** The kernel's copies of files do not count as used, shared memory does. */
    @Test
    void theRoomOfAGroupOfVersion2() throws Exception {
        write("cgroup", "0::/user.slice/app.scope\n");
        write("sys/user.slice/app.scope/memory.max", "max\n");
        write("sys/user.slice/memory.max", "100000\n");
        write("sys/user.slice/memory.current", "70000\n");
        write("sys/user.slice/memory.stat", "anon 50000\nfile 20000\nshmem 5000\ninactive_file 10000\nactive_file 5000\n");
        MemoryGroup only = groups().get(0);
        assertEquals(1, groups().size());
        assertEquals(folder.resolve("sys/user.slice").toString(), only.folder());
        assertEquals(100_000, only.limit());
        assertEquals(55_000, only.used());
        assertEquals(45_000, only.room());
        write("sys/user.slice/memory.current", "130000\n"); // the limit was lowered meanwhile
        assertEquals(0, only.room());
    }

    /** Without "total_" the lines of version 1 leave out the groups below. */
    @Test
    void theRoomOfAGroupOfVersion1() throws Exception {
        write("cgroup", "4:cpu,memory:/job/step\n");
        write("sys/memory/job/memory.limit_in_bytes", "100000\n");
        write("sys/memory/job/memory.usage_in_bytes", "70000\n");
        write("sys/memory/job/memory.stat", "inactive_file 1\nactive_file 2\ntotal_inactive_file 10000\ntotal_active_file 5000\n");
        write("sys/memory/job/step/memory.limit_in_bytes", "200000\n");
        List<MemoryGroup> groups = groups();
        assertEquals(2, groups.size());
        assertEquals(200_000, groups.get(0).limit());
        assertEquals(-1, groups.get(0).used());
        assertEquals(Long.MAX_VALUE, groups.get(0).room(), "the kernel does not tell");
        assertEquals(45_000, groups.get(1).room());
    }

    @Test
    void thisProcess() {
        assertTrue(MemoryLimit.bytes() > 1 << 20);
    }
}
