package jfs.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Test
    void thisProcess() {
        assertTrue(MemoryLimit.bytes() > 1 << 20);
    }
}
