package jfs.conformance.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Optional;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.testing.Await;
import jfs.testing.Effort;
import jfs.testing.Jdks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** This build and a previous one, in either role, on one JDK and on two: their connections are fast. */
class PreviousBuildTest extends Children {

    private static final String BY_DEFAULT = "-Djfs.upgrade.after=400";

    @TempDir
    static Path builds;

    private Child start(Build build, boolean onTwoJdks) throws Exception {
        Child.Start start = build.in(builds);
        if (onTwoJdks && build.isPrevious()) {
            Optional<Path> other = Jdks.other();
            assumeTrue(other.isPresent(), "there is no other JDK, from 17 on, beside " + System.getProperty("java.home"));
            start.on(other.get());
        }
        return start(start);
    }

    @ParameterizedTest
    @CsvSource({"FIRST, THIS, false", "THIS, FIRST, false", "FIRST, THIS, true", "THIS, FIRST, true", "SECOND, THIS, false",
        "THIS, SECOND, false"})
    void conversationsWithPreviousBuilds(Build clients, Build servers, boolean onTwoJdks) throws Exception {
        Child client = start(clients, onTwoJdks);
        Child server = start(servers, onTwoJdks);
        assertEquals("null", client.tell("unavailable"));
        long port = server.ask("listen 127.0.0.1 0");

        int rounds = Effort.rounds(1, 50);
        for (int i = 0; i < rounds; i++) {
            switched(client, server, port);
            Child.Order sizes = server.begin("exchangeSizes 1 2");
            client.begin("exchangeSizes 2 1").isDone();
            sizes.isDone();
            Child.Order unread = server.begin("write 3 3000000"); // more than a window, so both ends spill
            client.begin("write 4 3000000").isDone();
            unread.isDone();
            client.begin("read 3 3000000").isDone();
            server.begin("read 4 3000000").isDone();
            talkAboutEverything(client, server);
        }
        switched(client, server, port);
        endsByReset(client, server);
        switched(client, server, port);
        endsByReset(server, client);

        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
        int offersEach = clients == Build.THIS ? 2 : 1; // one in the newest version, then one in the server's
        assertEquals((rounds + 2) * offersEach, client.ask("offers"));
    }

    private static void switched(Child client, Child server, long port) {
        connect(client, server, port);
        converse(client, server);
    }

    private static void endsByReset(Child who, Child other) {
        who.begin("write 5 1000").isDone();
        other.begin("read 5 1000").isDone();
        who.begin("reset").isDone();
        assertEquals("java.net.SocketException: Connection reset", other.tell("readToEnd 5"));
        other.begin("close").isDone();
    }

    /** Both builds have their default settings. */
    @Test
    void aClientOfTheSecondBuildFindsAListenerAtItsFirstOffer() throws Exception {
        Child client = start(Build.SECOND.in(builds).with(BY_DEFAULT));
        Child server = start(Child.jfs().with(BY_DEFAULT));
        switched(client, server, server.ask("listen 127.0.0.1 0"));
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
    }

    /**
     * By default the first build offers at the second request. For a second it does not ask again where it found no
     * process. So its first connection finds none, and a later one is fast.
     */
    @Test
    void aClientOfTheFirstBuildFindsAListenerThatHasHadAConversation() throws Exception {
        Child client = start(Build.FIRST.in(builds));
        Child server = start(Child.jfs().with(BY_DEFAULT));
        long port = server.ask("listen 127.0.0.1 0");
        connect(client, server, port);
        staysOnTcp(client, "{NO_PEER=1}", server);
        Await.until("a connection is fast", () -> {
            connect(client, server, port);
            Child.Order follow = server.begin("follow");
            client.ask("lead 5");
            follow.isDone();
            client.begin("negotiated").isDone();
            follow = server.begin("follow");
            client.ask("lead 5");
            follow.isDone();
            client.begin("close").isDone();
            server.begin("close").isDone();
            return client.ask("switched") == 2;
        });
    }

    /** The bytes that the victim had written are read, and then the connection is over, as with a peer of the same build. */
    @ParameterizedTest
    @CsvSource({"FIRST, THIS, true", "FIRST, THIS, false", "THIS, FIRST, true", "THIS, FIRST, false", "SECOND, THIS, true",
        "SECOND, THIS, false", "THIS, SECOND, true", "THIS, SECOND, false"})
    void aDeathIsNoticedByAnotherBuild(Build clients, Build servers, boolean clientDies) throws Exception {
        Child client = start(clients, false);
        Child server = start(servers, false);
        Child victim = clientDies ? client : server;
        Child survivor = clientDies ? server : client;
        switched(client, server, server.ask("listen 127.0.0.1 0"));
        victim.begin("write 6 3000000").isDone();
        victim.kill();
        victim.awaitEnd();
        assertEquals(3_000_000, survivor.ask("readToEnd 6"));
        String end = survivor.tell("writeUntilItFails");
        assertTrue(end.startsWith("java.net.SocketException: "), end);
        survivor.begin("close").isDone();
        Await.until("its memory is gone", () -> survivor.ask("mappings") == 0);
    }
}
