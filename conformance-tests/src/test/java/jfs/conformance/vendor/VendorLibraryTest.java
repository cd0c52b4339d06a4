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

/** Connections over a vendor's library, whose stores are posted, and what happens when its calls fail. */
@OnOldestJdk
class VendorLibraryTest extends Children {

    /** With a small ring there are many turns, and the stand-in has less to compare. */
    private static final String SMALL_RING = "-Djfs.buffer.size=65536";
    /** More bytes than all buffers between two ends take. */
    private static final int TOO_MUCH = 500_000_000;

    /** What reads and writes throw after a peer's death. */
    private static final String OVER =
            "java.io.EOFException: after .*|java.net.SocketException: (Connection reset.*|Broken pipe)";

    @TempDir
    private Path folder;
    private StandIn fabric;
    private Child client;
    private Child server;
    private long port;

    @BeforeEach
    void fabric() {
        fabric = new StandIn(folder);
    }

    private void start(Child.Start clients, Child.Start servers) throws Exception {
        server = start(servers);
        client = start(clients);
        port = server.ask("listen 127.0.0.1 0");
    }

    private void close() {
        client.begin("close").isDone();
        server.begin("close").isDone();
    }

    private void nothingIsLeft() throws Exception {
        fabric.hasNothingLeft(client);
        fabric.hasNothingLeft(server);
        fabric.isEmpty();
    }

    /** Each of these lengths wakes a sleeping reader. */
    private void wakesReaders() {
        for (Child[] ends : new Child[][] {{client, server}, {server, client}}) {
            for (int bytes : new int[] {1, 56, 57, 5_000}) {
                Child.Order read = ends[0].begin("read 7 " + bytes).blocked();
                ends[1].begin("write 7 " + bytes).isDone();
                read.isDone();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0, false", "80, false", "0, true", "80, true"})
    void carriesConversations(int pollMicros, boolean old) throws Exception {
        String library = (old ? StandIn.OLD_LIBRARY : StandIn.LIBRARY).toString();
        String polling = "-Djfs.poll.micros=" + pollMicros;
        start(fabric.peerWith(library).with(SMALL_RING).with(polling),
                fabric.peerWith(library).with(SMALL_RING).with(polling));
        for (int i = 0; i < 2; i++) {
            connect(client, server, port);
            converse(client, server);
            wakesReaders();
            talkAboutEverything(client, server);
            server.begin("close").isDone();
            nothingIsLeft();
        }
        assertEquals(2, client.ask("attached"));
        assertEquals("{}{}", client.fallbacks() + server.fallbacks());
    }

    /** At each end a connection takes one mapped segment, one mapping of the peer's segment, and one descriptor beside TCP's. */
    @Test
    void takesOneDescriptorAConnection() throws Exception {
        start(fabric.peer(), fabric.peer());
        connect(client, server, port);
        converse(client, server);
        client.begin("keep").isDone();
        server.begin("keep").isDone();
        client.begin("negotiated").isDone();
        server.begin("negotiated").isDone();
        long before = client.ask("descriptors") + server.ask("descriptors");
        connect(client, server, port);
        converse(client, server);
        client.begin("negotiated").isDone();
        server.begin("negotiated").isDone();
        long each = 2; // TCP's own, and that of the event
        Await.until(each + " more at each end",
                () -> client.ask("descriptors") + server.ask("descriptors") == before + 2 * each);
        for (Child end : new Child[] {client, server}) {
            assertEquals(2, fabric.times(end, "SCICreateSegment ok"));
            assertEquals(2, fabric.times(end, "SCIMapLocalSegment ok"));
            assertEquals(2, fabric.times(end, "SCIMapRemoteSegment ok"));
        }
        Await.until("both ends let nobody else in", () -> fabric.times(client, "SCISetSegmentUnavailable ok") == 2
                && fabric.times(server, "SCISetSegmentUnavailable ok") == 2);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void isToldOfADeath(boolean ofClient, boolean reading) throws Exception {
        start(fabric.peer().with(SMALL_RING), fabric.peer().with(SMALL_RING));
        noticesADeath(ofClient, reading);
    }

    /**
     * The library does not report the death. A thread that waits for a peer which has written before does not depend on the
     * library alone.
     */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void noticesADeathOfWhichNobodyTells(boolean ofClient, boolean reading) throws Exception {
        String mute = "STANDIN_FAIL=SCI_CB_LOST:1+";
        start(fabric.peer(mute).with(SMALL_RING), fabric.peer(mute).with(SMALL_RING));
        noticesADeath(ofClient, reading);
    }

    /**
     * The same while the connection is idle. What TCP says when the survivor closes it is enough to free the segments, also if there are
     * bytes that the survivor has not read: such a close shuts the output of TCP down first.
     */
    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true", "false, true"})
    void freesItsSegmentAfterADeathOfWhichNobodyTells(boolean ofClient, boolean unread) throws Exception {
        String mute = "STANDIN_FAIL=SCI_CB_LOST:1+";
        start(fabric.peer(mute), fabric.peer(mute));
        connect(client, server, port);
        converse(client, server);
        Child victim = ofClient ? client : server;
        Child survivor = ofClient ? server : client;
        if (unread) {
            victim.begin("write 1 100").isDone();
        }
        victim.kill();
        victim.awaitEnd();
        survivor.begin("close").isDone();
        fabric.hasNothingLeft(survivor);
        fabric.hasNotMisused(victim);
        Await.until("the victim's segment is gone", this::isEmpty);
    }

    private void noticesADeath(boolean ofClient, boolean reading) throws Exception {
        connect(client, server, port);
        converse(client, server);
        Child victim = ofClient ? client : server;
        Child survivor = ofClient ? server : client;
        Child.Order waits = survivor.begin((reading ? "read 1 " : "write 1 ") + TOO_MUCH).blocked();
        victim.kill();
        victim.awaitEnd();
        String result = waits.result();
        assertTrue(result.matches(OVER), result);
        survivor.begin("close").isDone();
        fabric.hasNothingLeft(survivor);
        fabric.hasNotMisused(victim);
        Await.until("the victim's segment is gone", this::isEmpty);
    }

    /** An end whose input has ended, or whose peer has ended its output, goes on writing. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void takesNoHalfCloseForADeath(boolean ofPeer, boolean early) throws Exception {
        start(fabric.peer().with(SMALL_RING), fabric.peer().with(SMALL_RING));
        connect(client, server, port);
        converse(client, server);
        Child who = ofPeer ? server : client;
        String ends = ofPeer ? "shutdownOutput" : "shutdownInput";
        if (early) {
            who.begin(ends).isDone();
        }
        int bytes = 10_000_000; // twice the room
        Child.Order write = client.begin("write 7 " + bytes).blocked();
        if (!early) {
            who.begin(ends).isDone();
        }
        long before = client.ask("sleeps");
        Await.until("the writer looks again", () -> client.ask("sleeps") >= before + 2);
        server.begin("read 7 " + bytes).isDone();
        write.isDone();
        close();
        nothingIsLeft();
    }

    private boolean isEmpty() {
        try {
            fabric.isEmpty();
            return true;
        } catch (AssertionError | java.io.IOException e) {
            return false;
        }
    }

    /**
     * A connected peer may be writing to the segment, so an end that is done waits for the other one. It does not ask the library, because
     * a card's library may remove the segment under the peer.
     */
    @Test
    void removesNoSegmentUnderAPeer() throws Exception {
        start(fabric.peer(), fabric.peer());
        connect(client, server, port);
        converse(client, server);
        client.begin("close").isDone();
        Await.until("it has left the peer's segment", () -> fabric.times(client, "SCIDisconnectSegment ok") > 0);
        assertEquals(0, fabric.times(client, "SCIRemoveSegment ok"));
        server.begin("close").isDone();
        nothingIsLeft();
        assertEquals(0, fabric.times(client, "SCIRemoveSegment 40000900"), "removals under the peer");
    }

    /**
     * The call that fails, the process in which it fails, and what both ends report then. The first ones belong to the
     * library's start.
     */
    @ParameterizedTest
    @CsvSource({
        "CLIENT, SCICreateSegment:1,     FAILS",
        "CLIENT, SCIPrepareSegment:1,    FAILS",
        "CLIENT, SCIMapLocalSegment:1,   FAILS",
        "CLIENT, SCICreateInterrupt:1,   FAILS",
        "CLIENT, SCISetSegmentAvailable:1, FAILS",
        "CLIENT, SCIGetLocalNodeId:2,    FAILS",
        "CLIENT, SCIConnectSegment:1,    COMPLETES_NOT",
        "CLIENT, SCIMapRemoteSegment:1,  COMPLETES_NOT",
        "CLIENT, SCICreateMapSequence:1, COMPLETES_NOT",
        "CLIENT, SCIStartSequence:1,     COMPLETES_NOT",
        "CLIENT, SCIConnectInterrupt:1,  COMPLETES_NOT",
        "SERVER, SCIConnectSegment:1,    DECLINES",
        "SERVER, SCIMapRemoteSegment:1,  DECLINES",
        "SERVER, SCICreateMapSequence:1, DECLINES",
        "SERVER, SCIStartSequence:1,     DECLINES",
        "SERVER, SCICreateSegment:1,     DECLINES",
        "SERVER, SCIPrepareSegment:1,    DECLINES",
        "SERVER, SCIMapLocalSegment:1,   DECLINES",
        "SERVER, SCICreateInterrupt:1,   DECLINES",
        "SERVER, SCIConnectInterrupt:1,  DECLINES",
        "SERVER, SCISetSegmentAvailable:1, DECLINES",
        "SERVER, SCIGetLocalNodeId:2,    DECLINES",
    })
    void staysOnTcpWhereACallFails(String who, String call, String outcome) throws Exception {
        String fail = "STANDIN_FAIL=" + call + ":4000090C";
        start(who.equals("CLIENT") ? fabric.peer(fail) : fabric.peer(),
                who.equals("SERVER") ? fabric.peer(fail) : fabric.peer());
        connect(client, server, port);
        staysOnTcp(client, "{FAILED=1}", server, switch (outcome) {
            case "FAILS" -> "{NO_OFFER=1}";
            case "COMPLETES_NOT" -> "{}";
            default -> "{FAILED=1}";
        });
        Child failing = who.equals("CLIENT") ? client : server;
        String reason = " FAILED: " + name(call) + ": no such segment, says the stand-in";
        Await.until(failing::log, () -> failing.log().contains(reason));
        close();
        connect(client, server, port); // the failure does not last
        converse(client, server);
        close();
        nothingIsLeft();
    }

    /**
     * A peer that takes 0.3 s for each of the two connects of a call. Both share half a second, because the negotiation's thread waits
     * meanwhile.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bothConnectsHaveHalfASecondTogether(boolean atClient) throws Exception {
        String slow = "STANDIN_SLOW=300";
        start(atClient ? fabric.peer(slow) : fabric.peer(), atClient ? fabric.peer() : fabric.peer(slow));
        connect(client, server, port);
        staysOnTcp(client, "{FAILED=1}", server, atClient ? "{}" : "{FAILED=1}");
        Child waiting = atClient ? client : server;
        assertEquals(1, fabric.times(waiting, "SCIConnectSegment ok"));
        Await.until(waiting::log, () -> waiting.log().contains(" FAILED: SCIConnectInterrupt: "));
        close();
        nothingIsLeft();
    }

    /** The name in the reason. The two calls that together make a segment have one name there. */
    private static String name(String call) {
        String name = call.substring(0, call.indexOf(':'));
        return switch (name) {
            case "SCIPrepareSegment" -> "SCICreateSegment";
            case "SCIStartSequence" -> "SCICreateMapSequence";
            default -> name;
        };
    }

    /** A call that ends something is tried again while the library reports that it is busy. */
    @ParameterizedTest
    @ValueSource(strings = {"SCIUnmapSegment", "SCIRemoveSegment", "SCIDisconnectSegment", "SCIRemoveInterrupt"})
    void triesAgainWhatIsBusy(String call) throws Exception {
        start(fabric.peer("STANDIN_FAIL=" + call + ":1:40000900"), fabric.peer());
        connect(client, server, port);
        converse(client, server);
        close();
        nothingIsLeft();
        assertTrue(fabric.times(client, call + " 40000900") > 0);
    }

    /** An interrupt that is lost costs time and has no other effect. */
    @Test
    void sleepsNotForEverWhereARingIsLost() throws Exception {
        start(fabric.peer("STANDIN_FAIL=SCITriggerInterrupt:3").with("-Djfs.poll.micros=0"),
                fabric.peer("STANDIN_FAIL=SCITriggerInterrupt:3").with("-Djfs.poll.micros=0"));
        connect(client, server, port);
        converse(client, server);
        String lost = "SCITriggerInterrupt 40000919";
        Await.until("a ring was lost each way", () -> {
            wakesReaders();
            return fabric.times(client, lost) + fabric.times(server, lost) == 2;
        });
        talkAboutEverything(client, server);
        close();
        nothingIsLeft();
    }

    /** After a store is lost, long after the switch, nothing more is published. The writer gets an error. */
    @Test
    void breaksWhereAStoreIsLost() throws Exception {
        start(fabric.peer("STANDIN_FAIL=SCICheckSequence:1000"), fabric.peer());
        connect(client, server, port);
        converse(client, server);
        Child.Order read = server.begin("read 1 " + TOO_MUCH);
        assertEquals("java.net.SocketException: the SCI fabric lost data on its way to the peer",
                client.begin("write 1 " + TOO_MUCH).result());
        client.begin("close").isDone();
        assertTrue(read.result().matches(OVER), read.result());
        server.begin("close").isDone();
        nothingIsLeft();
    }
}
