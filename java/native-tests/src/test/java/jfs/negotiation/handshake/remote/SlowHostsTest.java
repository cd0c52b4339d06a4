package jfs.negotiation.handshake.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import jfs.testing.Await;
import org.junit.jupiter.api.Test;

/** The rendezvous between hosts of which one is slow. Only connections with that host wait, and no longer than it is slow. */
class SlowHostsTest extends HostsOnLoopback {

    private static InetAddress host(int number) throws Exception {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) number});
    }

    private Process serverFor(String hosts, int number) throws Exception {
        return new Process(host(number), KEY, "accept " + hosts + " * mx").listening();
    }

    private Process clientOf(String hosts, int number) throws Exception {
        return new Process(host(number), KEY, "connect " + hosts + " * mx");
    }

    /** The client's endpoint takes no connection. Connections of other hosts are joined meanwhile. */
    @Test
    void aClientThatMakesAJoinSlowDelaysNoOtherHost() throws Exception {
        Process server = serverFor("127.0.0.0/8", 1);
        Recorded.Obstacle obstacle = server.transport.obstacle();
        Ends slow = offered(clientOf("127.0.0.0/8", 2), server);
        obstacle.awaitMet();
        assertEquals("mx mx", offered(clientOf("127.0.0.0/8", 3), server).outcome());
        assertFalse(slow.client().isDecided() || slow.server().isDecided());
        obstacle.end(null);
        assertEquals("mx mx", slow.outcome());
    }

    /** The same at the connecting end. */
    @Test
    void aServerThatMakesACompletionSlowDelaysNoOtherHost() throws Exception {
        Process client = clientOf("127.0.0.0/8", 1);
        Process other = serverFor("127.0.0.0/8", 3);
        Recorded.Obstacle obstacle = client.transport.obstacle();
        Ends slow = offered(client, serverFor("127.0.0.0/8", 2));
        obstacle.awaitMet();
        assertEquals("mx mx", offered(client, other).outcome());
        assertFalse(slow.client().isDecided());
        obstacle.end(null);
        assertEquals("mx mx", slow.outcome());
    }

    /** Otherwise four slow connections would occupy all threads. */
    @Test
    void aHostMakesOneOfUsWaitAtATime() throws Exception {
        Process server = serverFor("127.0.0.0/8", 1);
        Process client = clientOf("127.0.0.0/8", 2);
        Recorded.Obstacle obstacle = server.transport.obstacle();
        List<Ends> slow = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            slow.add(offered(client, server));
        }
        obstacle.awaitMet();
        Await.until("all are offered", () -> client.transport.offers.get() == slow.size());
        assertEquals("mx mx", offered(clientOf("127.0.0.0/8", 3), server).outcome());
        assertEquals(1, server.transport.joins.get(), "the others of that host wait for their turn");
        obstacle.end(null);
        for (Ends each : slow) {
            assertEquals("mx mx", each.outcome());
        }
    }

    @Test
    void helperThreadsEndWhenThereIsNothingToDo() throws Exception {
        Process server = server("mx");
        Recorded.Obstacle obstacle = server.transport.obstacle();
        Ends ends = offered(client("mx"), server);
        obstacle.awaitMet();
        assertTrue(helpers() > 0);
        obstacle.end(null);
        assertEquals("mx mx", ends.outcome());
        Await.until("they have ended", () -> helpers() == 0);
    }

    private static long helpers() {
        return Thread.getAllStackTraces().keySet().stream().filter(it -> it.getName().equals("jfs-helper")).count();
    }

    @Test
    void bothEndsHearThatAJoinHasFailed() throws Exception {
        Process server = server("mx");
        server.transport.obstacle().end("mx_connect: no answer");
        Ends ends = offered(client("mx"), server);
        assertEquals("FAILED", ends.client().outcome());
        assertEquals("FAILED", ends.server().outcome());
    }

    /** One connection finds that out. Those after it need not. */
    @Test
    void aServerThatCantBeReachedIsNotAskedAgainForAWhile() throws Exception {
        Process server = server("mx");
        Process client = client("mx");
        client.transport.obstacle().end("mx_connect: no answer");
        assertEquals("FAILED", offered(client, server).client().outcome());
        assertEquals("FAILED none", offered(client, server).outcome());
        assertEquals(1, client.transport.offers.get());
    }

    /** The server gives up its end of the path, and the connection stays as it is. */
    @Test
    void aClientThatHangsUpDuringTheJoin() throws Exception {
        Process server = serverFor("127.0.0.0/8", 1);
        Recorded.Obstacle obstacle = server.transport.obstacle();
        Process client = clientOf("127.0.0.0/8", 2);
        End near = client.connect(server);
        End far = server.accept();
        server.register(far, localPort(near));
        near.sentTo(far, "a question");
        far.sentTo(near, "an answer");
        client.offer(near, server.port, false);
        obstacle.awaitMet();
        assertEquals("NO_ANSWER", near.outcome());
        obstacle.end(null);
        Await.until("it is given up", () -> server.transport.retired.get() == 2);
        assertFalse(far.isDecided());
    }
}
