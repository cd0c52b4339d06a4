package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Leftovers;
import jfs.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A memory cgroup has no page left for a region. The kernel then kills a process of that group, as it does when a page of
 * the heap is needed. No thread gets a fault. For the other process, which is in another group, it is a kill -9 like any
 * other.
 */
@EnabledIfSystemProperty(named = "test.all", matches = "true", disabledReason = "only ./jfs test --all runs it, because it makes a cgroup")
class CgroupMemoryTest extends Shortages {

    private static final Path V1 = Path.of("/sys/fs/cgroup/memory");
    private static final Path V2 = Path.of("/sys/fs/cgroup");

    private Path group;
    private String limit;
    private String usage;

    private void makeGroup() throws IOException {
        boolean one = Files.isDirectory(V1);
        limit = one ? "memory.limit_in_bytes" : "memory.max";
        usage = one ? "memory.usage_in_bytes" : "memory.current";
        Path made = (one ? V1 : V2).resolve("jfs-test-" + ProcessHandle.current().pid());
        try {
            group = Files.createDirectory(made);
        } catch (IOException e) {
            assumeTrue(false, "a memory cgroup can't be made: " + e);
        }
        assumeTrue(Files.exists(group.resolve(limit)), "the cgroup " + group + " has no limit of memory: there is no " + limit);
    }

    @AfterEach
    void removeGroup() throws Exception {
        if (group != null) {
            endAll();
            Await.until("the group is empty", () -> Files.readString(group.resolve("cgroup.procs")).isEmpty());
            Files.delete(group);
        }
    }

    @Test
    void aProcessWhoseCgroupHasNoPageForARegionIsKilled() throws Exception {
        makeGroup();
        Child server = start(logging());
        Child client = start(logging());
        long port = server.ask("listen 127.0.0.1 0");
        Set<String> names = Leftovers.namesOf(server.pid());
        connect(client, server, port);
        converse(client, server);
        isFast(client, server);
        Files.writeString(group.resolve("cgroup.procs"), "" + client.pid());
        // Pages that were charged before stay with the former group. So the limit is on new pages, and is less than what
        // will be written.
        long now = Long.parseLong(Files.readString(group.resolve(usage)).strip());
        Files.writeString(group.resolve(limit), "" + (now + (1 << 20)));
        client.begin("write 1 3000000");
        client.awaitEnd();
        String read = server.tell("readToEnd 1");
        assertTrue(read.matches("[0-9]+") || read.startsWith("java.net.SocketException: Connection reset"), read);
        server.begin("close").isDone();
        Await.until("no region is left", () -> server.ask("mappings") == 0);
        assertEquals(names, Leftovers.namesOf(server.pid()));
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            assertTrue(files.noneMatch(file -> file.getFileName().toString().matches("(jfs|sisci).*")));
        }
    }
}
