package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import jfs.conformance.harness.faults.Hook;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.testing.Await;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The negotiation of a connection between two hosts, by two rules and a key. */
@Timeout(180)
class BetweenHostsTest extends Children {

    private static final String CONNECT = "connect " + TwoHosts.SERVERS + " * mx";
    private static final String ACCEPT = "accept " + TwoHosts.CLIENTS + " * mx";

    @TempDir
    Path folder;

    @BeforeAll
    static void assumeHosts() throws Exception {
        TwoHosts.assume();
    }

    private String key(int seed) throws IOException {
        Path file = folder.resolve("key" + seed);
        byte[] bytes = new byte[32];
        new Random(seed).nextBytes(bytes);
        Files.write(file, bytes);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------")).toString();
    }

    private Child.Start host(int key, String... rules) throws IOException {
        Path file = Files.createTempFile(folder, "rules", null);
        Files.write(file, List.of(rules));
        return TwoHosts.alone(Child.jfs().with("-Djfs.rules=" + file).with("-Djfs.hosts.key=" + key(key))
                .with("-Djfs.log=all").running(NegotiatingPeer.class, "rdma"));
    }

    private static void attached(Child client, Child server) throws Exception {
        Child.Order follow = server.begin("follow");
        client.ask("lead 3");
        follow.isDone();
        Await.until(() -> client.log() + server.log(), () -> client.ask("attached") == 1);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
        assertEquals(1, server.ask("attached"));
    }

    @Test
    void bothRulesAgree() throws Exception {
        Child client = start(host(1, CONNECT));
        Child server = start(host(1, ACCEPT));
        new TwoHosts(client, server);
        TwoHosts.connect(client, server);
        attached(client, server);
        assertEquals(2, TwoHosts.connectionsTo(server), "the program's and the rendezvous'");
        assertEquals(0, TwoHosts.connectionsFrom(server));
    }

    /** NEG-4: if a rule says mx, an accepted connection can be found at once, whatever the server's setting. */
    @Test
    void aClientThatOffersEarlierThanTheServerExpects() throws Exception {
        Child client = start(host(1, CONNECT));
        Child server = start(host(1, ACCEPT).with("-Djfs.upgrade.after=400"));
        new TwoHosts(client, server);
        TwoHosts.connect(client, server);
        attached(client, server);
    }

    private static void converse(Child client, Child server, Child.Order follow) throws Exception {
        client.ask("lead 3");
        follow.isDone();
        Await.until(() -> client.log() + server.log(), () -> client.ask("attached") + server.ask("attached") == 2);
    }

    /** Devices between the hosts must not forget a connection on which they see no packet. */
    @Test
    void tcpIsKeptAlive() throws Exception {
        Child client = start(host(1, CONNECT).with("-Djfs.hosts.keepalive=1"));
        Child server = start(host(1, ACCEPT).with("-Djfs.hosts.keepalive=0"));
        new TwoHosts(client, server);
        long port = TwoHosts.connect(client, server);
        converse(client, server, server.begin("follow"));
        Await.until("probed", () -> TwoHosts.keepAlives(client) >= 2);
        assertEquals(-1, TwoHosts.nextKeepAlive(server, port));
        assertEquals(0, TwoHosts.keepAlives(server));
    }

    /** The program reads its own settings. They are in use if they are stricter. */
    @Test
    void theProgramsKeepAliveIsItsOwn() throws Exception {
        Child client = start(host(1, CONNECT));
        Child server = start(host(1, ACCEPT));
        new TwoHosts(client, server);
        long port = TwoHosts.connect(client, server);
        String before = client.tell("keepAlive");
        assertTrue(before.startsWith("false false 7200 "), before);
        assertEquals(-1, TwoHosts.nextKeepAlive(client, port));
        converse(client, server, server.begin("follow"));
        assertEquals(before, client.tell("keepAlive"));
        assertDue(30, 60, client, port);
        client.begin("setKeepAlive true 7000").isDone();
        assertEquals(before.replace("7200", "7000").replace("false", "true"), client.tell("keepAlive"));
        assertDue(30, 60, client, port);
        client.begin("setKeepAlive true 20").isDone();
        assertEquals(before.replace("7200", "20").replace("false", "true"), client.tell("keepAlive"));
        assertDue(0, 20, client, port);
        client.begin("setKeepAlive false 20").isDone();
        assertEquals(before.replace("7200", "20"), client.tell("keepAlive"));
        assertDue(30, 60, client, port);
    }

    private static void assertDue(int after, int before, Child host, long port) throws IOException {
        long due = TwoHosts.nextKeepAlive(host, port);
        assertTrue(due > 100L * after && due <= 100L * before, () -> "in " + due + " hundredths of a second");
    }

    /** A process that can't tell its peer over the path that it reads no more lets TCP tell it (END-1). */
    @Test
    void aPathThatHasFailedIsClosedByAReset() throws Exception {
        Child client = start(host(1, CONNECT).running(NegotiatingPeer.class, "rdma", "true"));
        Child server = start(host(1, ACCEPT));
        new TwoHosts(client, server);
        TwoHosts.connect(client, server);
        Child.Order follow = server.begin("follow");
        client.ask("lead 3");
        follow.isDone();
        Await.until(() -> client.log() + server.log(), () -> client.ask("attached") == 1);
        Child.Order read = server.begin("readToEnd 1").blocked();
        client.begin("close").isDone();
        assertEquals("java.net.SocketException: Connection reset", read.result());
    }

    /** Rules, rendezvous and proof are the same as over IPv4. */
    @Test
    void overIPv6() throws Exception {
        Child client = start(host(1, "connect fd00:213:8::/48 * mx"));
        Child server = start(host(1, "accept " + TwoHosts.CLIENTS_6 + " * mx"));
        new TwoHosts(client, server).onlyIPv6();
        TwoHosts.connectByIPv6(client, server);
        attached(client, server);
        assertEquals(2, TwoHosts.connectionsTo(server), "the program's and the rendezvous'");
    }

    /** A rule for IPv4 matches no IPv6 address. */
    @Test
    void aRuleOfIPv4Only() throws Exception {
        Child client = start(host(1, "connect fd00:213:8::/48 * mx"));
        Child server = start(host(1, "accept 0.0.0.0/0 * mx"));
        new TwoHosts(client, server).onlyIPv6();
        TwoHosts.connectByIPv6(client, server);
        staysOnTcp(client, "{NO_RENDEZVOUS=1}", server, "{NO_OFFER=1}");
    }

    @Test
    void noRdma() throws Exception {
        Child client = start(host(1, CONNECT).running(NegotiatingPeer.class, "UCX has tcp only"));
        Child server = start(host(1, ACCEPT));
        new TwoHosts(client, server);
        TwoHosts.connect(client, server);
        staysOnTcp(client, "{NO_RDMA=1}", server, "{NO_OFFER=1}");
        assertTrue(client.log().contains("NO_RDMA: UCX has tcp only"), client.log());
        assertEquals(1, TwoHosts.connectionsTo(server));
    }

    @Test
    void aForcedRuleNeedsNoRdma() throws Exception {
        Child client = start(host(1, CONNECT + " forced").running(NegotiatingPeer.class, "UCX has tcp only"));
        Child server = start(host(1, ACCEPT + " forced").running(NegotiatingPeer.class, "UCX has tcp only"));
        new TwoHosts(client, server);
        TwoHosts.connect(client, server);
        attached(client, server);
    }

    @Test
    void aRuleOfTheClientOnly() throws Exception {
        Child client = start(host(1, CONNECT));
        Child server = start(host(1, "# none"));
        new TwoHosts(client, server);
        TwoHosts.connect(client, server);
        staysOnTcp(client, "{NO_RENDEZVOUS=1}", server, "{NO_OFFER=1}");
        assertEquals(1, TwoHosts.connectionsTo(server), "there is no rendezvous");
    }

    /** To a host that no rule names the client sends no packet but the program's own. */
    @Test
    void aRuleOfTheServerOnly() throws Exception {
        Child client = start(host(1, "connect 10.213.9.0/24 * mx"));
        Child server = start(host(1, ACCEPT));
        new TwoHosts(client, server);
        TwoHosts.connect(client, server);
        staysOnTcp(client, "{OTHER_HOST=1}", server, "{NO_OFFER=1}");
        assertEquals(1, TwoHosts.connectionsFrom(client));
        assertEquals(1, TwoHosts.connectionsTo(server));
    }

    /** The server has a rendezvous, but its rules don't name this client's host. */
    @Test
    void aHostThatTheServersRulesDoNotName() throws Exception {
        Child client = start(host(1, CONNECT));
        Child server = start(host(1, "accept 10.213.9.0/24 * mx"));
        new TwoHosts(client, server);
        TwoHosts.connect(client, server);
        staysOnTcp(client, "{NO_RENDEZVOUS=1}", server, "{NO_OFFER=1}");
        assertEquals(2, TwoHosts.connectionsTo(server), "hung up on, and not asked again");
    }

    @Test
    void anotherKey() throws Exception {
        Child client = start(host(1, CONNECT));
        Child server = start(host(2, ACCEPT));
        new TwoHosts(client, server);
        TwoHosts.connect(client, server);
        staysOnTcp(client, "{WRONG_KEY=1}", server, "{NO_OFFER=1}");
        assertEquals(0, client.ask("offers"));
    }

    /** A device on the way changes the addresses, so the two ends have different tuples for their connection. */
    @Test
    void translatedAddresses() throws Exception {
        String outside = "10.213.9.2";
        Child client = start(host(1, CONNECT));
        Child server = start(host(1, "accept " + outside + " * mx"));
        Child middle = start(TwoHosts.alone(Child.plain().running(Forwarder.class)));
        TwoHosts.join(client, TwoHosts.CLIENTS, middle, TwoHosts.SERVERS, "jfs0");
        TwoHosts.join(middle, outside, server, "10.213.9.1", "jfs1");
        long port = server.ask("listen 0.0.0.0 0");
        for (long each : new long[] {port, 27_450}) {
            assertEquals("done", middle.tell("forward " + each + " 10.213.9.1 " + each));
        }
        TwoHosts.connect(client, server, TwoHosts.SERVERS, port);
        staysOnTcp(client, "{TRANSLATED=1}", server, "{NO_OFFER=1}");
    }

    /** The client's host is cut off in the middle of the negotiation. The connection outlives that. */
    @ParameterizedTest
    @CsvSource({"NAME_CONNECTED, NO_RENDEZVOUS", "OFFER_SENT, NO_ANSWER"})
    void cutOff(String after, String reason) throws Exception {
        Child client = start(host(1, CONNECT).with("-Dorg.javafastsockets.steps=" + Hook.class.getName()));
        Child server = start(host(1, ACCEPT));
        TwoHosts wire = new TwoHosts(client, server);
        TwoHosts.connect(client, server);
        Child.Order reached = client.begin("arm " + after + " 1 STOP 0"); // the negotiation waits there
        Child.Order follow = server.begin("follow");
        client.ask("lead 3");
        follow.isDone();
        reached.result();
        wire.cut();
        client.begin("release").isDone();
        Await.until(() -> client.fallbacks() + client.log(), () -> client.fallbacks().equals("{" + reason + "=1}"));
        wire.mend();
        talkAboutEverything(client, server);
        assertEquals(0, client.ask("attached") + client.ask("switched") + server.ask("switched"));
    }

    /** Packets are late, or lost. The offer takes long, or ends with a reason, and the program notices nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"delay 30ms 10ms", "loss 3%", "delay 5ms 2ms loss 1%"})
    void aBadWire(String how) throws Exception {
        BadWire.assume();
        Child client = start(host(1, CONNECT));
        Child server = start(host(1, ACCEPT));
        new TwoHosts(client, server, how.split(" "));
        TwoHosts.connect(client, server);
        attached(client, server);
    }
}
