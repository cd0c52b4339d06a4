package jfs.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Commands;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes of the same user that claim a connection which they don't hold, and containers that share a network namespace
 * on purpose, as those of a pod do.
 */
@Tag("hostile")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ImpostorTest extends Children {

    @BeforeAll
    static void containers() throws Exception {
        Commands.assumeContainers();
    }

    private Child startImpostor(boolean contained) throws Exception {
        return start(Child.jfs().running(Impostor.class), contained);
    }

    private Child start(Child.Start start, boolean contained) throws Exception {
        return start(contained ? start.contained() : start);
    }

    /** The impostor can't claim to be the client of a connection between a plain client and a JFS server. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void aFalseClient(boolean impostorContained, boolean serverContained) throws Exception {
        Child server = start(Child.jfs(), serverContained);
        Child client = start(Child.plain());
        Child impostor = startImpostor(impostorContained);
        long port = server.ask("listen 127.0.0.1 0");
        connect(client, server, port);
        long status = impostor.ask("claim " + client.ask("port") + " " + port);
        assertTrue(status == HostilePeer.NOT_MINE || status == HostilePeer.DECLINED, "answered with " + status);
        talkAboutEverything(client, server);
        assertEquals(0, server.ask("attached"));
        assertEquals(0, server.ask("switched"));
    }

    /** The impostor can't claim to be the server, either. The server's names are free if it is a plain one. */
    @ParameterizedTest
    @CsvSource({"false, false, NOT_MINE", "false, true, UNPROVEN", "true, false, NOT_MINE", "true, true, UNPROVEN"})
    void aFalseServer(boolean impostorContained, boolean clientContained, String reason) throws Exception {
        Child server = start(Child.plain());
        Child client = start(Child.jfs(), clientContained);
        Child impostor = startImpostor(impostorContained);
        long port = server.ask("listen 127.0.0.1 0");
        assertEquals("done", impostor.tell("pose " + port));
        connect(client, server, port);
        staysOnTcp(client, "{" + reason + "=1}", server);
        assertEquals(0, client.ask("attached"));
    }

    /** The client passes the impostor over. Its memory is not used, even if the impostor has mapped it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFalseServerBeforeTheTrueOne(boolean contained) throws Exception {
        Child finder = start(Child.plain());
        long port = finder.ask("listen 127.0.0.1 0");
        finder.begin("closeListener").isDone();
        Child impostor = startImpostor(contained);
        assertEquals("done", impostor.tell("pose " + port));
        Child server = start(Child.jfs(), contained);
        Child client = start(Child.jfs(), contained);
        assertEquals(port, server.ask("listen 127.0.0.1 " + port));
        connect(client, server, port);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
    }

    /** An impostor between the two ends could give both of them the same memory and keep it. */
    @ParameterizedTest
    @ValueSource(strings = {"not", "0", "+", "upper"})
    void aProcessInBetweenGetsNoPath(String writesTheToken) throws Exception {
        Child finder = start(Child.plain());
        long port = finder.ask("listen 127.0.0.1 0");
        finder.begin("closeListener").isDone();
        Child impostor = startImpostor(true);
        assertEquals("done", impostor.tell("relay " + port + " " + writesTheToken));
        Child server = start(Child.jfs(), true);
        Child client = start(Child.jfs(), true);
        assertEquals(port, server.ask("listen 127.0.0.1 " + port));
        connect(client, server, port);
        staysOnTcp(client, "{UNPROVEN=1}", server, "{UNPROVEN=1}");
        assertEquals(0, client.ask("attached") + server.ask("attached"));
    }

    /** A process that claims a connection by chance does not keep it from its true client. */
    @Test
    void aFalseClientBeforeTheTrueOne() throws Exception {
        Child server = start(Child.jfs(), true);
        Child client = start(Child.jfs().with("-Djfs.upgrade.after=3"), true);
        Child impostor = startImpostor(true);
        long port = server.ask("listen 127.0.0.1 0");
        connect(client, server, port);
        assertEquals(HostilePeer.DECLINED, impostor.ask("claim " + client.ask("port") + " " + port));
        assertEquals("{UNPROVEN=1}", server.fallbacks());
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", server.fallbacks());
    }

    /** Neither container sees the processes of the other. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true"})
    void containersThatShareOnPurpose(boolean clientContained, boolean serverContained) throws Exception {
        Child server = start(Child.jfs(), serverContained);
        Child client = start(Child.jfs(), clientContained);
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
    }
}
