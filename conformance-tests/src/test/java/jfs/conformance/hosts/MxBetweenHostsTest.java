package jfs.conformance.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import jfs.conformance.Await;
import jfs.conformance.processes.Child;
import jfs.conformance.processes.Commands;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of connections between two hosts go over MX where a rule forces it, and it is the library of this build. */
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
    void everything() {
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
    }

    /** MX itself goes from one's IPv4 address to the other's. */
    @Test
    void overIPv6() throws Exception {
        wire.andIPv6();
        TwoHosts.connectByIPv6(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
    }

    /** Without one the connection stays as it is, and both ends know why. */
    @Test
    void overIPv6Alone() throws Exception {
        Child first = client();
        Child second = server();
        new TwoHosts(first, second).onlyIPv6();
        TwoHosts.connectByIPv6(first, second);
        staysOnTcp(first, "{FAILED=1}", second, "{FAILED=1}");
    }

    /** Services may be up before their network is: what UCX found by then doesn't keep them from MX. */
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

    /** close() loses nothing of what was written before (END-5). */
    @Test
    void closedWithMegabytesUnread() {
        Child.Order write = client.begin("write 1 3000000");
        Child.Order read = server.begin("read 1 3000000");
        write.isDone();
        client.begin("close").isDone();
        read.isDone();
        assertEquals(0, server.ask("readToEnd 2"));
    }

    /** Closes, maybe with bytes on their way, while the peer's process does nothing. */
    private interface Closing {
        void of(Child client, Child server) throws Exception;
    }

    /** The two hosts once more, with the JDK's sockets. */
    private void asTheJdk(Closing what) throws Exception {
        Child plainClient = start(TwoHosts.alone(Child.plain()));
        Child plainServer = start(TwoHosts.alone(Child.plain()));
        new TwoHosts(plainClient, plainServer);
        TwoHosts.connect(plainClient, plainServer);
        what.of(plainClient, plainServer);
        what.of(client, server);
    }

    /** More than the kernel takes for a process that does not read, and less than one's own takes of who writes. */
    private static final int UNDELIVERED = 400_000;

    /** close() returns when the peer has what was written (END-5). */
    @Test
    void closeLingersUntilAllIsDelivered() throws Exception {
        asTheJdk((client, server) -> {
            client.begin("linger 120").isDone();
            Commands.stop(server);
            client.begin("write 1 " + UNDELIVERED).isDone();
            Child.Order close = client.begin("close").blocked();
            if (client == this.client) { // TCP's part is over as soon as the kernel there has acknowledged the end
                Await.until("it waits for more", () -> close.stack().stream().noneMatch(it -> it.startsWith("sun.nio.ch.")));
                close.blocked();
            }
            Commands.goOn(server);
            assertEquals(UNDELIVERED, server.ask("readToEnd 1"));
            close.isDone();
        });
    }

    /** ... or when that takes too long; it is delivered all the same. */
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

    /** kill -9: its peer hears of it within a second, and takes it for no end (END-5). */
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

    /** What is on its way when the wire is cut arrives when it is mended. */
    @Test
    void cutOff() throws Exception {
        wire.cut();
        client.begin("write 1 100000").isDone();
        Child.Order read = server.begin("read 1 100000").blocked();
        wire.mend();
        read.isDone();
        talkAboutEverything(client, server);
    }

    /** ... even after an outage that is longer than UCX's own keep-alive waits for an answer. */
    @Test
    @EnabledIfSystemProperty(named = "test.all", matches = "true", disabledReason = "takes as long as the outage")
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
