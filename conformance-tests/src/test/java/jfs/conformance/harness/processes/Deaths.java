package jfs.conformance.harness.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.testing.Await;
import org.junit.jupiter.api.io.TempDir;

/** Shared by the tests of kill -9: which process dies, that the other one learns of it, and that nothing is left on either side. */
public abstract class Deaths extends Children {

    @TempDir
    Path temporary;

    /** The process that is killed. */
    protected enum Victim {
        CLIENT, SERVER
    }

    protected Child client;
    protected Child server;
    protected Child victim;
    protected Child survivor;
    private Set<String> names;
    private long descriptors;

    /**
     * Connects the two. The survivor has had another connection before, and a thread of it has slept, so all that is made
     * only once exists.
     */
    protected void connected(Victim who) throws Exception {
        Child.Start start = Child.jfs().with("-Djava.io.tmpdir=" + temporary)
                .with("-Djdk.virtualThreadScheduler.parallelism=1").with("-Djdk.virtualThreadScheduler.maxPoolSize=1");
        server = start(start);
        client = start(start);
        long port = server.ask("listen 127.0.0.1 0");
        connect(client, server, port);
        converse(client, server);
        victim = who == Victim.CLIENT ? client : server;
        survivor = who == Victim.CLIENT ? server : client;
        Child.Order read = survivor.begin("read 3 1").blocked();
        victim.begin("write 3 1").isDone();
        read.isDone();
        client.begin("close").isDone();
        server.begin("close").isDone();
        Await.until("the survivor has forgotten the first connection", () -> survivor.ask("mappings") == 0);
        descriptors = survivor.ask("descriptors");
        for (int i = 0; i < companions(); i++) {
            connect(client, server, port);
            converse(client, server);
            client.begin("keep").isDone();
            server.begin("keep").isDone();
        }
        connect(client, server, port);
        names = Leftovers.namesOf(server.pid());
        assertFalse(names.isEmpty(), "the server has a name");
    }

    /** How many other connections the two processes have. With more of them, more share one region. */
    protected int companions() {
        return 0;
    }

    protected static void assertOver(String result) {
        assertTrue(result.startsWith("java.io.EOFException: after ")
                || result.equals("java.net.SocketException: Connection reset")
                || result.equals("java.net.SocketException: Connection reset by peer")
                || result.equals("java.net.SocketException: Broken pipe"), result);
    }

    protected void assertNothingIsLeft(Victim who) throws Exception {
        victim.awaitEnd();
        survivor.begin("close").isDone();
        survivor.begin("closeKept").isDone();
        Await.until(() -> "the survivor has no shared memory", () -> survivor.ask("mappings") == 0);
        long[] now = {0};
        Await.until(() -> descriptors + " descriptors again, but " + now[0], () -> {
            now[0] = survivor.ask("descriptors");
            return now[0] <= descriptors;
        });
        if (who == Victim.CLIENT) {
            survivor.begin("closeListener").isDone();
        }
        Await.until(() -> "none of the names " + names, () -> !Leftovers.anyOf(names));
        assertEquals(Set.of(), Leftovers.namesOf(survivor.pid()));
        try (Stream<Path> files = Files.list(temporary); Stream<Path> shared = Files.list(Path.of("/dev/shm"))) {
            assertEquals(Set.of(), files.collect(Collectors.toSet()));
            assertEquals(Set.of(), shared.filter(file -> file.getFileName().toString().matches("(jfs|sisci).*"))
                    .collect(Collectors.toSet()));
        }
    }
}
