package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import jfs.conformance.harness.processes.Child;
import jfs.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * MX's own packets are late, or lost. That may make an offer fail, because an offer does not wait forever. No byte is lost:
 * neither of a connection that stays on TCP because of it, nor of one that is over MX.
 */
class MxOnABadWireTest extends MxHosts {

    private static final String BAD = "delay 5ms 2ms loss 1%";
    /**
     * Reasons of offers whose packets are lost. PEER_BUSY is the reason of the next offer from a host that was waited for
     * too long.
     */
    private static final Set<String> OF_LOSS = Set.of("NO_RENDEZVOUS", "NO_ANSWER", "NO_OFFER", "HUNG_UP", "STALE", "FAILED",
            "PATH_FAILED", "PEER_BUSY");
    private static final Pattern REASON = Pattern.compile("[A-Z_]+");

    private Child client;
    private Child server;

    /** Connects until both directions of a connection have left TCP. */
    private void switchOver(String how) throws Exception {
        BadWire.assume();
        client = client();
        server = server();
        new TwoHosts(client, server, how.split(" "));
        long port = server.ask("listen 0.0.0.0 0");
        TwoHosts.connect(client, server, TwoHosts.SERVERS, port);
        while (!isSwitched()) { // up to a quarter of a minute after an attempt in vain
            talkAboutEverything(client, server);
            TwoHosts.connect(client, server, TwoHosts.SERVERS, port);
        }
    }

    /** Converses until the client's end has switched, or has a reason why it won't. */
    private boolean isSwitched() throws Exception {
        String before = client.fallbacks();
        Await.until(() -> client.log() + server.log(), () -> {
            Child.Order follow = server.begin("follow");
            client.ask("lead 1");
            follow.isDone();
            return client.ask("switched") == 2 || !client.fallbacks().equals(before);
        });
        for (Child each : List.of(client, server)) {
            assertTrue(REASON.matcher(each.fallbacks()).results().map(MatchResult::group).allMatch(OF_LOSS::contains), each.log());
        }
        return client.fallbacks().equals(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"delay 30ms 10ms", "loss 3%", BAD})
    void everyOperationWorks(String how) throws Exception {
        switchOver(how);
        String before = client.fallbacks();
        talkAboutEverything(client, server);
        assertEquals(before, client.fallbacks());
        assertEquals(2, client.ask("switched"));
        assertEquals(2, server.ask("switched"));
    }

    /** TCP's end may come long before the bytes that were written last (END-5). */
    @Test
    void closedWithMegabytesUnread() throws Exception {
        switchOver(BAD);
        client.begin("write 1 3000000").isDone();
        client.begin("close").isDone();
        assertEquals(3_000_000, server.ask("readToEnd 1"));
    }

    @Test
    void closedWithoutLingering() throws Exception {
        switchOver(BAD);
        Child.Order read = server.begin("readToEnd 1").blocked();
        client.begin("reset").isDone();
        assertEquals("java.net.SocketException: Connection reset", read.result());
    }

    /** The end of a killed process is never taken for the stream's. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void killed(boolean theClient) throws Exception {
        switchOver(BAD);
        Child victim = theClient ? client : server;
        Child survivor = theClient ? server : client;
        victim.begin("write 1 3000000").isDone();
        Child.Order read = survivor.begin("readToEnd 1");
        victim.kill();
        assertEquals("java.net.SocketException: Connection reset", read.result());
    }
}
