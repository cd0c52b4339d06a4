package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jfs.conformance.harness.processes.Child;
import jfs.testing.Await;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A firewall between the hosts forgets connections on which it has seen no packet for two seconds. */
class BehindATrackerTest extends MxHosts {

    private static final int MEMORY_SECONDS = 2;
    private static final int ROUNDS = 100;

    private Child client;
    private Child server;
    private Tracker tracker;
    private long port;

    @BeforeAll
    static void assumeTracker() throws Exception {
        Tracker.assume();
    }

    private void join(Child.Start clients, Child.Start servers) throws Exception {
        client = start(clients);
        server = start(servers);
        tracker = new Tracker(client, start(TwoHosts.alone(Child.plain())), server);
        port = server.ask("listen 0.0.0.0 0");
    }

    private Tracker.Connection connect() {
        TwoHosts.connect(client, server, Tracker.SERVERS, port);
        return new Tracker.Connection((int) client.ask("port"), (int) port);
    }

    /**
     * Two hosts whose rules force MX. The client's kernel probes TCP every second, if at all. Each end's UCX probes its own
     * connections every second.
     */
    private void joinOverMx(int keepAlive) throws Exception {
        join(probing("connect " + Tracker.SERVERS, keepAlive), probing("accept " + Tracker.CLIENTS, 0));
    }

    private Child.Start probing(String rule, int keepAlive) throws Exception {
        return starting(rule, "-Djfs.hosts.keepalive=" + keepAlive)
                .under("env", "UCX_TCP_KEEPIDLE=1s", "UCX_TCP_KEEPINTVL=1s", "UCX_TCP_KEEPCNT=2");
    }

    private Tracker.Connection connectAndSwitch() throws Exception {
        Tracker.Connection tcp = connect();
        converse(client, server);
        return tcp;
    }

    private void keep() {
        client.begin("keep").isDone();
        server.begin("keep").isDone();
    }

    private void takeKept() {
        client.begin("takeKept").isDone();
        server.begin("takeKept").isDone();
    }

    private void talk() {
        Child.Order follow = server.begin("follow");
        client.ask("lead " + ROUNDS);
        follow.isDone();
    }

    /** The tracker does forget connections. SO_KEEPALIVE prevents that, and JFS uses it under MX. */
    @Test
    void asTheJdk() throws Exception {
        join(TwoHosts.alone(Child.plain()), TwoHosts.alone(Child.plain()));
        Tracker.Connection probed = connect();
        client.begin("setKeepAlive true 1").isDone();
        keep();
        Tracker.Connection idle = connect();
        entry(idle);
        tracker.forgetsAfter(MEMORY_SECONDS);
        talk();
        Await.until("it is forgotten", () -> !tracker.table().containsKey(idle));
        long before = TwoHosts.retransmissions(client);
        client.begin("write 1 1").isDone();
        Child.Order read = server.begin("read 1 1").blocked();
        Await.until("nothing gets through", () -> TwoHosts.retransmissions(client) >= before + 2);
        read.blocked();
        assertFalse(tracker.table().containsKey(idle));
        takeKept();
        assertTrue(entry(probed).left() <= MEMORY_SECONDS);
        talkAboutEverything(client, server);
    }

    private Tracker.Entry entry(Tracker.Connection connection) throws Exception {
        Map<Tracker.Connection, Tracker.Entry> table = tracker.table();
        assertTrue(table.containsKey(connection), () -> connection + " is not in " + table);
        return table.get(connection);
    }

    /** For twice as long as the tracker remembers, it sees only probes of the program's TCP connection, whatever is sent over MX. */
    private void outlive(Tracker.Connection tcp, Runnable meanwhile) throws Exception {
        long before = entry(tcp).packets();
        int[] looks = {0};
        long[] probes = {0};
        Await.until("probed", () -> {
            meanwhile.run();
            looks[0]++;
            probes[0] = entry(tcp).packets() - before;
            return probes[0] > 2 * MEMORY_SECONDS;
        });
        assertTrue(probes[0] < looks[0] * ROUNDS, () -> probes[0] + " packets");
        assertTrue(entry(tcp).left() <= MEMORY_SECONDS);
    }

    @Test
    void idleAndBusy() throws Exception {
        joinOverMx(1);
        connectAndSwitch();
        keep();
        Tracker.Connection tcp = connectAndSwitch();
        tracker.forgetsAfter(MEMORY_SECONDS);
        outlive(tcp, () -> { });
        // UCX probes the connection that has its messages. The one by which it connected may be forgotten.
        List<Tracker.Connection> silent = tracker.table().entrySet().stream()
                .filter(it -> it.getValue().left() > MEMORY_SECONDS).map(Map.Entry::getKey).toList();
        assertTrue(tracker.table().size() - 2 - silent.size() > 0, () -> "UCX probes none: " + silent);
        for (Tracker.Connection each : silent) {
            tracker.forget(each);
        }
        outlive(tcp, this::talk);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
        takeKept();
        Child.Order read = client.begin("read 1 1").blocked();
        long when = server.kill(); // TCP reports the death only if the tracker still remembers the connection
        assertEquals("java.net.SocketException: Connection reset",
                read.resultWithin(TimeUnit.SECONDS.toNanos(1) - (System.nanoTime() - when)));
    }

    /**
     * Without probes the tracker forgets the TCP connection. MX works on, and the program notices nothing: each end learns
     * of the other's close and reset.
     */
    @Test
    void theTrackerForgetsTcp() throws Exception {
        joinOverMx(0);
        tracker.forget(connectAndSwitch());
        talkAboutEverything(client, server);

        tracker.forget(connectAndSwitch());
        client.begin("close").isDone();
        assertEquals(0, server.ask("readToEnd 1"));
        server.begin("write 1 1").isDone(); // as over TCP, which learns of the close by this write
        assertEquals("java.net.SocketException: Broken pipe", server.tell("write 1 1"));

        tracker.forget(connectAndSwitch());
        Child.Order read = server.begin("readToEnd 1").blocked();
        client.begin("reset").isDone();
        assertEquals("java.net.SocketException: Connection reset", read.result());
        assertEquals("java.net.SocketException: Broken pipe", server.tell("write 1 1"));

        tracker.forget(connectAndSwitch());
        server.begin("sendBuffer 8192").isDone(); // the bytes that TCP gets although none will arrive must fit
        Child.Order write = server.begin("write 1 20000000").blocked();
        client.begin("close").isDone();
        assertEquals("java.net.SocketException: Broken pipe", write.result());
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
    }

    /**
     * The tracker forgets UCX's own connections, and UCX finds that out at one end. Bytes under way are lost, and both ends
     * get an error. Meanwhile the two processes connect again for other connections, which are fast.
     */
    @Test
    void theTrackerForgetsUcxsConnections() throws Exception {
        joinOverMx(1);
        Tracker.Connection tcp = connectAndSwitch();
        List<Tracker.Connection> ucxs = tracker.table().keySet().stream().filter(it -> !it.equals(tcp)).toList();
        for (Tracker.Connection each : ucxs) {
            tracker.forget(each);
        }
        server.begin("write 1 1").isDone();
        keep();
        Await.until("found out", () -> ucxs.stream().noneMatch(it -> Tracker.has(client, it))
                || ucxs.stream().noneMatch(it -> Tracker.has(server, it)));
        Await.until("fast", () -> {
            long before = client.ask("switched");
            connect();
            talk();
            talk();
            boolean switched = client.ask("switched") == before + 2;
            client.begin("close").isDone();
            server.begin("close").isDone();
            return switched;
        });
        takeKept();
        Child.Order read = client.begin("read 1 2").blocked();
        assertEquals("java.net.SocketException: Connection reset by peer", server.tell("writeUntilItFails"));
        server.begin("close").isDone();
        assertEquals("java.net.SocketException: Connection reset", read.result());
    }
}
