package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
 * A memory cgroup has no page left for the region of a connection that was fast before. The kernel then kills a process of that group, as
 * it does when a page of the heap is needed. No thread gets a fault. For the other process, which is in another group, it is a kill -9 like
 * any other. A connection that is made in a group that is nearly full stays on TCP: see {@link NearlyFullCgroupTest}.
 */
@EnabledIfSystemProperty(named = "test.all", matches = "true", disabledReason = "only ./jfs test --all runs it, because it makes a cgroup")
class CgroupMemoryTest extends Shortages {

    private MemoryCgroup group;

    @AfterEach
    void removeGroup() throws Exception {
        if (group != null) {
            endAll();
            group.close();
        }
    }

    @Test
    void aProcessWhoseCgroupHasNoPageForARegionIsKilled() throws Exception {
        group = MemoryCgroup.make();
        Child server = start(logging());
        Child client = start(logging());
        long port = server.ask("listen 127.0.0.1 0");
        Set<String> names = Leftovers.namesOf(server.pid());
        connect(client, server, port);
        converse(client, server);
        isFast(client, server);
        group.take(client);
        group.leave(1 << 20); // less than what will be written
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
