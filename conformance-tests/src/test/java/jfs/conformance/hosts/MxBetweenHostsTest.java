package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;
import jfs.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of connections between two hosts go over MX if a rule forces it. The library is this build's. */
class MxBetweenHostsTest extends MxHosts {

    private static final long A_SECOND = TimeUnit.SECONDS.toNanos(1);

    private Child client;
    private Child server;
    private TwoHosts wire;
    private long port;

    @BeforeEach
    void switched() throws Exception {
        client = client();
        server = server();
        wire = new TwoHosts(client, server);
        port = connectAndSwitch(client, server);
    }

    @Test
    void everyOperationWorks() {
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
    }

    /** MX itself goes from one host's IPv4 address to the other's. */
    @Test
    void overIPv6() throws Exception {
        wire.andIPv6();
        TwoHosts.connectByIPv6(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
    }

    /** Without IPv4 addresses the connection stays on TCP, and both ends know why. */
    @Test
    void overIPv6Alone() throws Exception {
        Child first = client();
        Child second = server();
        new TwoHosts(first, second).onlyIPv6();
        TwoHosts.connectByIPv6(first, second);
        staysOnTcp(first, "{FAILED=1}", second, "{FAILED=1}");
    }

    /** Services may start before their network is up. What UCX found then does not keep them from MX later. */
    @Test
    void upBeforeTheirNetwork() throws Exception {
        Child first = client();
        Child second = server();
        TwoHosts.connect(first, first, "127.0.0.1", first.ask("listen 127.0.0.1 0"));
        TwoHosts.connect(second, second, "127.0.0.1", second.ask("listen 127.0.0.1 0"));
        new TwoHosts(first, second);
        connectAndSwitch(first, second);
    }

    @Test
    void oneAfterAnother() {
        for (int i = 0; i < 10; i++) {
            client.begin("close").isDone();
            assertEquals(0, server.ask("readToEnd 1"));
            server.begin("close").isDone();
            TwoHosts.connect(client, server, TwoHosts.SERVERS, port);
            converse(client, server);
        }
        talkAboutEverything(client, server);
    }

    /** A close loses no byte that was written before (END-5). */
    @Test
    void closedWithMegabytesUnread() {
        Child.Order write = client.begin("write 1 3000000");
        Child.Order read = server.begin("read 1 3000000");
        write.isDone();
        client.begin("close").isDone();
        read.isDone();
        assertEquals(0, server.ask("readToEnd 2"));
    }

    /** A close, maybe with bytes under way, while the peer's process is stopped. */
    private interface Closing {
        void of(Child client, Child server) throws Exception;
    }

    /** Does the same between two other hosts with the JDK's sockets, then here. */
    private void asTheJdk(Closing what) throws Exception {
        Child plainClient = start(TwoHosts.alone(Child.plain()));
        Child plainServer = start(TwoHosts.alone(Child.plain()));
        new TwoHosts(plainClient, plainServer);
        TwoHosts.connect(plainClient, plainServer);
        what.of(plainClient, plainServer);
        what.of(client, server);
    }

    /** More bytes than the kernel takes for a process that does not read, and fewer than the writer's own side takes. */
    private static final int UNDELIVERED = 400_000;

    /** A lingering close returns when the peer has all that was written (END-5). */
    @Test
    void closeLingersUntilAllIsDelivered() throws Exception {
        asTheJdk((client, server) -> {
            client.begin("linger 120").isDone();
            Commands.stop(server);
            client.begin("write 1 " + UNDELIVERED).isDone();
            Child.Order close = client.begin("close").blocked();
            if (client == this.client) { // TCP's part of the wait ends as soon as the peer's kernel has acknowledged the end
                Await.until("it waits for more", () -> close.stack().stream().noneMatch(it -> it.startsWith("sun.nio.ch.")));
                close.blocked();
            }
            Commands.goOn(server);
            assertEquals(UNDELIVERED, server.ask("readToEnd 1"));
            close.isDone();
        });
    }

    /** It also returns when its time is over. The bytes are delivered all the same. */
    @Test
    void closeLingersNoLongerThanItShould() throws Exception {
        asTheJdk((client, server) -> {
            client.begin("linger 1").isDone();
            Commands.stop(server);
            client.begin("write 1 " + UNDELIVERED).isDone();
            client.begin("close").isDone();
            Commands.goOn(server);
            assertEquals(UNDELIVERED, server.ask("readToEnd 1"));
        });
    }

    @Test
    void closeThatDoesNotLingerResets() throws Exception {
        asTheJdk((client, server) -> {
            Child.Order read = server.begin("readToEnd 1").blocked();
            client.begin("reset").isDone();
            assertEquals("java.net.SocketException: Connection reset", read.result());
        });
    }

    /** After a kill -9 the peer gets an error within a second, and does not take the death for an end (END-5). */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void killed(boolean theClient) {
        Child victim = theClient ? client : server;
        Child survivor = theClient ? server : client;
        victim.begin("write 1 1000").isDone();
        Child.Order read = survivor.begin("read 1 1001").blocked();
        long when = victim.kill();
        String result = read.resultWithin(A_SECOND - (System.nanoTime() - when));
        assertEquals("java.net.SocketException: Connection reset", result);
    }

    /** Bytes that are under way when the wire is cut arrive when it is mended. */
    @Test
    void cutOff() throws Exception {
        wire.cut();
        client.begin("write 1 100000").isDone();
        Child.Order read = server.begin("read 1 100000").blocked();
        wire.mend();
        read.isDone();
        talkAboutEverything(client, server);
    }

    /** The same after an outage that is longer than UCX's own keep-alive waits for an answer. */
    @Test
    @EnabledIfSystemProperty(named = "test.all", matches = "true",
            disabledReason = "only ./jfs test --all runs it, because its outage takes 20 seconds")
    void cutOffForLong() throws Exception {
        wire.cut();
        client.begin("write 1 100000").isDone();
        Child.Order read = server.begin("read 1 100000").blocked();
        TimeUnit.SECONDS.sleep(20);
        wire.mend();
        read.isDone();
        talkAboutEverything(client, server);
    }
}
