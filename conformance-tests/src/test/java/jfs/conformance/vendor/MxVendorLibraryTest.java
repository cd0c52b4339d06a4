package jfs.conformance.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.testing.Await;
import jfs.testing.OnOldestJdk;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections over a vendor's MX library, and what happens when its calls fail. */
@OnOldestJdk
class MxVendorLibraryTest extends Children {

    /** More bytes than all buffers between two ends take. */
    private static final int TOO_MUCH = 100_000_000;

    /** What reads and writes throw when the other end is gone, as over TCP. */
    private static final String OVER =
            "java.io.EOFException: after .*|java.net.SocketException: (Connection reset.*|Broken pipe)";

    @TempDir
    private Path folder;
    private MxStandIn fabric;
    private Child client;
    private Child server;
    private long port;

    @BeforeEach
    void fabric() throws Exception {
        fabric = new MxStandIn(folder);
    }

    private void start(Child.Start clients, Child.Start servers) throws Exception {
        server = start(servers);
        client = start(clients);
        port = server.ask("listen 127.0.0.1 0");
    }

    private void startFailing(boolean theClient, String call) throws Exception {
        String fail = "STANDIN_FAIL=" + call;
        start(theClient ? fabric.peer(fail) : fabric.peer(), theClient ? fabric.peer() : fabric.peer(fail));
    }

    private void close() {
        client.begin("close").isDone();
        server.begin("close").isDone();
    }

    private void nothingIsLeft() throws Exception {
        fabric.hasNothingLeft(client);
        fabric.hasNothingLeft(server);
    }

    /** Each of these lengths wakes a sleeping reader. */
    private void wakesReaders() {
        for (Child[] ends : new Child[][] {{client, server}, {server, client}}) {
            for (int bytes : new int[] {1, 56, 32_768, 100_000}) {
                Child.Order read = ends[0].begin("read 7 " + bytes).blocked();
                ends[1].begin("write 7 " + bytes).isDone();
                read.isDone();
            }
        }
    }

    private void everything() {
        wakesReaders();
        Child.Order sizes = server.begin("exchangeSizes 1 2");
        client.begin("exchangeSizes 2 1").isDone();
        sizes.isDone();
        talkAboutEverything(client, server);
        server.begin("close").isDone();
    }

    /** The same conversations over the JDK's sockets. */
    @Test
    void conversationsOnTheJdksOwnSockets() throws Exception {
        start(Child.plain(), Child.plain());
        connect(client, server, port);
        everything();
    }

    @ParameterizedTest
    @CsvSource({"0, 32768, false", "80, 32768, false", "80, 32768, true", "80, 262144, false"})
    void carriesConversations(int pollMicros, int eagerMax, boolean old) throws Exception {
        String library = (old ? MxStandIn.OLD_LIBRARY : MxStandIn.LIBRARY).toString();
        String[] options = {"-Djfs.poll.micros=" + pollMicros, "-Djfs.mx.eager.max=" + eagerMax};
        start(fabric.peerWith(library).with(options[0]).with(options[1]),
                fabric.peerWith(library).with(options[0]).with(options[1]));
        for (int i = 0; i < 2; i++) {
            connect(client, server, port);
            converse(client, server);
            everything();
            nothingIsLeft();
        }
        assertEquals(2, client.ask("attached"));
        assertEquals("{}{}", client.fallbacks() + server.fallbacks());
    }

    @ParameterizedTest
    @CsvSource({"true, true, false", "true, false, false", "false, true, false", "false, false, false", "true, false, true"})
    void isToldOfADeath(boolean ofClient, boolean reading, boolean shim) throws Exception {
        if (shim) {
            MxStandIn.assumeShim();
        }
        String library = shim ? "shim" : MxStandIn.LIBRARY.toString();
        start(fabric.peerWith(library), fabric.peerWith(library));
        connect(client, server, port);
        converse(client, server);
        Child victim = ofClient ? client : server;
        Child survivor = ofClient ? server : client;
        Child.Order waits = survivor.begin((reading ? "read 1 " : "write 1 ") + TOO_MUCH).blocked();
        victim.kill();
        String result = waits.result();
        assertTrue(result.matches(OVER), result);
        survivor.begin("close").isDone();
        fabric.hasNothingLeft(survivor); // no call of the shim's was recorded
        fabric.hasNotMisused(victim);
    }

    /** The call that fails, the process in which it fails, and what both ends report then. */
    @ParameterizedTest
    @CsvSource({
        "true,  mx_open_endpoint,            mx_open_endpoint, FAILED,  NO_OFFER",
        "true,  mx_get_endpoint_addr,        mx_open_endpoint, FAILED,  NO_OFFER",
        "true,  mx_decompose_endpoint_addr2, mx_open_endpoint, FAILED,  NO_OFFER",
        "true,  mx_connect,                  mx_connect,       FAILED,  PATH_FAILED",
        "true,  mx_isend,                    mx_isend,         FAILED,  PATH_FAILED",
        "false, mx_open_endpoint,            mx_open_endpoint, FAILED,  FAILED",
        "false, mx_get_endpoint_addr,        mx_open_endpoint, FAILED,  FAILED",
        "false, mx_decompose_endpoint_addr2, mx_open_endpoint, FAILED,  FAILED",
        "false, mx_connect,                  mx_connect,       FAILED,  FAILED",
        "false, mx_isend,                    mx_isend,         FAILED,  FAILED",
    })
    void staysOnTcpWhereACallFails(boolean theClient, String call, String said, String clients, String servers)
            throws Exception {
        startFailing(theClient, call + ":1:13");
        connect(client, server, port);
        staysOnTcp(client, "{" + clients + "=1}", server, "{" + servers + "=1}");
        Child failing = theClient ? client : server;
        String reason = " FAILED: " + said + ": error 13, says the stand-in";
        Await.until(failing::log, () -> failing.log().contains(reason));
        close();
        connect(client, server, server.ask("listen 127.0.0.1 0")); // the failure is remembered for a while, but only for that listener
        converse(client, server);
        talkAboutEverything(client, server);
        close();
        nothingIsLeft();
    }

    /** Each end has its path when this one fails, before it is ready. It has a connection over TCP, and a reason. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void staysOnTcpWhereACallFailsBeforeItIsReady(boolean theClient) throws Exception {
        String atConnect = "-Djfs.upgrade.after=0";
        Child.Start fails = fabric.peer("STANDIN_FAIL=mx_isend:2:13").with(atConnect); // the call after the greeting
        Child.Start works = fabric.peer().with(atConnect);
        start(theClient ? fails : works, theClient ? works : fails);
        connect(client, server, port);
        Await.until("attached", () -> client.ask("attached") + server.ask("attached") == 2);
        Child failing = theClient ? client : server;
        Child other = theClient ? server : client;
        Child.Order read = failing.begin("read 5 1000").blocked(); // before the other one is ready, so this one can't switch either
        other.begin("write 5 1000").isDone();
        read.isDone();
        read = other.begin("read 6 1000");
        failing.begin("write 6 1000").isDone();
        read.isDone();
        Await.until(failing::log, () -> failing.log().contains(" PATH_FAILED: mx_isend: error 13, says the stand-in"));
        talkAboutEverything(client, server);
        close();
        assertEquals("{PATH_FAILED=1}", failing.fallbacks());
        assertEquals(1, failing.ask("attached"));
        assertEquals(0, client.ask("switched") + server.ask("switched"));
        converseAnew();
    }

    private void converseAnew() throws Exception {
        connect(client, server, port);
        converse(client, server);
        talkAboutEverything(client, server);
        close();
        nothingIsLeft();
    }

    /** Without receives there is no endpoint to connect to. */
    @ParameterizedTest
    @CsvSource({"true, mx_irecv", "false, mx_irecv", "true, mx_test_any", "false, mx_test_any"})
    void staysOnTcpWhereACallAlwaysFails(boolean theClient, String call) throws Exception {
        startFailing(theClient, call + ":1+:39");
        connect(client, server, port);
        staysOnTcp(client, "{FAILED=1}", server, theClient ? "{NO_OFFER=1}" : "{FAILED=1}");
        close();
        Child failing = theClient ? client : server;
        String reason = " FAILED: " + call + ": error 39, says the stand-in";
        Await.until(failing::log, () -> failing.log().contains(reason));
        assertEquals(fabric.times(failing, "mx_open_endpoint ok"), fabric.times(failing, "mx_close_endpoint ok"));
        fabric.hasNotMisused(client);
        fabric.hasNotMisused(server);
    }

    /** If the library's own wait fails the endpoint's thread looks now and then. Everything works on. */
    @Test
    void worksWhereWaitsFail() throws Exception {
        startFailing(true, "mx_peek:1+");
        connect(client, server, port);
        converse(client, server);
        everything();
        nothingIsLeft();
        assertTrue(fabric.times(client, "mx_peek 2") < 100_000, "it is asked again and again");
    }

    /** The memory for one more message may be available later. That holds for the greeting too, before which nothing is under way. */
    @ParameterizedTest
    @ValueSource(strings = {"mx_irecv:20:15", "mx_irecv:40:2", "mx_isend:1:15", "mx_isend:2:15", "mx_isend:20:15"})
    void triesAgainWhatThereIsNoMemoryFor(String call) throws Exception {
        startFailing(false, call);
        connect(client, server, port);
        converse(client, server);
        everything();
        nothingIsLeft();
    }

    /**
     * In the middle of a stream: both ends get an error, the failing one with the call and its error as the cause. No byte
     * is invented.
     */
    @ParameterizedTest
    @CsvSource({
        "true,  mx_isend:100:9,     mx_isend: error 9",
        "true,  mx_isend:100+:15,   mx_isend: error 15",
        "true,  send:100:8,         mx_isend: status 8",
        "false, receive:100:16,     mx_irecv: status 16",
        "false, mx_irecv:100+:39,   mx_irecv: error 39",
        "false, mx_test_any:0:39,    mx_test_any: error 39",
        "false, mx_isend:20:9,      mx_isend: error 9",
    })
    void endsWhereACallFailsAfterTheSwitch(boolean theClient, String call, String said) throws Exception {
        startFailing(theClient, call);
        connect(client, server, port);
        converse(client, server);
        fabric.failNow();
        Child.Order read = server.begin("causeOf read 1 " + TOO_MUCH);
        Child.Order write = client.begin("causeOf write 1 " + TOO_MUCH);
        Child failing = theClient ? client : server;
        Child other = theClient ? server : client;
        String result = (theClient ? write : read).result();
        assertEquals("java.net.SocketException: Connection reset" + (theClient ? " by peer" : "") + ", from jfs.mx.MxException: "
                + said + ", says the stand-in", result);
        failing.begin("close").isDone();
        String others = (theClient ? read : write).result().replaceAll(", from .*", "");
        assertTrue(others.matches(OVER), others);
        other.begin("close").isDone();
        fabric.hasNotMisused(client);
        fabric.hasNotMisused(server);
    }

    /** While the ends are about to switch: the conversation goes on over TCP, or ends at both ends. Neither waits forever. */
    @ParameterizedTest
    @CsvSource({"true, receive:1", "true, receive:2", "true, receive:3", "true, mx_isend:2", "true, mx_isend:3", "true, send:1",
        "true, send:2", "true, send:3", "false, receive:1", "false, receive:2", "false, receive:3", "false, mx_isend:2",
        "false, mx_isend:3", "false, send:1", "false, send:2", "false, send:3", "true, mx_test_any:20+", "false, mx_test_any:20+"})
    void neverWaitsForEverWhereACallFailsAtTheSwitch(boolean theClient, String call) throws Exception {
        startFailing(theClient, call);
        connect(client, server, port);
        Child.Order follow = server.begin("follow");
        Child.Order lead = client.begin("lead 2000");
        boolean leadsEnd = lead.isAnsweredBefore(follow);
        String first = (leadsEnd ? lead : follow).result();
        if (first.matches(OVER)) {
            (leadsEnd ? client : server).begin("close").isDone();
            String second = (leadsEnd ? follow : lead).result();
            assertTrue(second.matches(OVER) || second.contains("no answer") || second.contains("asked -1"), second);
        } else {
            assertEquals("2000", lead.result());
            follow.isDone();
        }
        close();
        fabric.hasNotMisused(client);
        fabric.hasNotMisused(server);
    }

    /** The reader's peer knows that it is ready, and switches. What the peer sends then is lost. */
    @Test
    void aReaderThatWaitsForTheSwitchIsTold() throws Exception {
        String atConnect = "-Djfs.upgrade.after=0";
        start(fabric.peer().with(atConnect), fabric.peer("STANDIN_FAIL=receive:2").with(atConnect));
        connect(client, server, port);
        Await.until("attached", () -> client.ask("attached") + server.ask("attached") == 2);
        Child.Order read = server.begin("causeOf read 5 1000").blocked();
        Await.until("greeted, told of urgent bytes, and ready", () -> fabric.times(client, "receive ok") == 3);
        client.begin("write 5 1000").isDone();
        assertEquals("java.net.SocketException: Connection reset, from jfs.mx.MxException: mx_irecv: status 9, says the stand-in",
                read.result());
        Child.Order other = client.begin("write 1 " + TOO_MUCH).blocked();
        server.begin("close").isDone();
        assertTrue(other.result().matches(OVER), other.result());
        client.begin("close").isDone();
        fabric.hasNotMisused(client);
        fabric.hasNotMisused(server);
    }

    /** Only the connection that got the failure ends. */
    @Test
    void otherConnectionsGoOn() throws Exception {
        startFailing(true, "send:200:9");
        connect(client, server, port);
        converse(client, server);
        client.begin("keep").isDone();
        server.begin("keep").isDone();
        connect(client, server, port);
        converse(client, server);
        Child.Order read = server.begin("read 1 " + TOO_MUCH);
        String result = client.tell("write 1 " + TOO_MUCH);
        assertEquals("java.net.SocketException: Connection reset by peer", result);
        client.begin("close").isDone();
        assertTrue(read.result().matches(OVER));
        server.begin("close").isDone();
        client.begin("takeKept").isDone();
        server.begin("takeKept").isDone();
        talkAboutEverything(client, server);
        close();
        nothingIsLeft();
    }

    /** Failures leave no descriptor, thread or mapping behind. */
    @ParameterizedTest
    @ValueSource(strings = {"mx_open_endpoint", "mx_get_endpoint_addr", "mx_connect", "mx_isend"})
    void leavesNothingOfFailures(String call) throws Exception {
        startFailing(false, call + ":3+:13");
        long[] before = {0};
        for (int i = 0; i < 8; i++) {
            connect(client, server, port);
            Child.Order follow = server.begin("follow");
            client.ask("lead 5");
            follow.isDone();
            client.begin("negotiated").isDone();
            server.begin("negotiated").isDone();
            close();
            if (i == 3) { // all that is made once exists by now
                before[0] = server.ask("descriptors");
            }
        }
        Await.until(() -> before[0] + " descriptors before, now " + server.ask("descriptors"),
                () -> server.ask("descriptors") <= before[0]);
        fabric.hasNothingLeft(server);
    }
}
