package jfs.conformance.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.testing.OnOldestJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which SISCI library the setting {@code jfs.sci.library} chooses. */
@OnOldestJdk
class LibraryChoiceTest extends Children {

    /** With this the dynamic linker finds the stand-in. */
    private static final String FOUND = "LD_LIBRARY_PATH=" + StandIn.LIBRARY.getParent();

    @TempDir
    private Path folder;

    /** @param connections how many connections of the stand-in each process has made */
    private void isFast(Child client, Child server, StandIn fabric, long connections) throws Exception {
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}{}", client.fallbacks() + server.fallbacks());
        assertEquals(connections, fabric.times(client, "SCIConnectSegment ok"));
        assertEquals(connections, fabric.times(server, "SCIConnectSegment ok"));
        fabric.hasNotMisused(client);
        fabric.hasNotMisused(server);
    }

    @Test
    void autoTakesAVendorsWhereThereIsACard() throws Exception {
        StandIn fabric = new StandIn(folder);
        isFast(start(fabric.peerWith("auto", FOUND)), start(fabric.peerWith("auto", FOUND)), fabric, 1);
    }

    /** JFS then begins again without the library that it has tried. */
    @ParameterizedTest
    @ValueSource(strings = {"SCIInitialize", "SCIOpen", "SCIGetLocalNodeId"})
    void autoTakesTheShimWhereThereIsNone(String call) throws Exception {
        StandIn fabric = new StandIn(folder);
        String fail = "STANDIN_FAIL=" + call + ":1";
        Child client = start(fabric.peerWith("auto", FOUND, fail));
        Child server = start(fabric.peerWith("auto", FOUND, fail));
        isFast(client, server, fabric, 0);
        assertEquals(1, fabric.times(client, call + " 40000919"));
        assertEquals(fabric.times(client, "SCIInitialize ok"), fabric.times(client, "SCITerminate ok"));
        assertEquals(fabric.times(client, "SCIOpen ok"), fabric.times(client, "SCIClose ok"));
    }

    @Test
    void theShimCanBeForced() throws Exception {
        StandIn fabric = new StandIn(folder);
        isFast(start(fabric.peerWith("shim", FOUND)), start(fabric.peerWith("shim", FOUND)), fabric, 0);
    }

    /** A user who names a file wants that library. JFS uses no other one instead, and reports what is wrong with it. */
    @ParameterizedTest
    @ValueSource(strings = {"SCIInitialize", "SCIOpen", "SCIGetLocalNodeId"})
    void aFileThatDoesNotWorkIsNotReplaced(String call) throws Exception {
        Child peer = start(new StandIn(folder).peer("STANDIN_FAIL=" + call + ":1"));
        assertEquals("sisci: " + call + ": failed, says the stand-in (" + StandIn.LIBRARY + ")", peer.tell("unavailable"));
    }

    @Test
    void aFileThatIsNoSuchLibraryIsNamed() throws Exception {
        String natives = System.getProperty("jfs.native.dir");
        String none = natives + "/libmyriexpress.so";
        String said = start(Child.jfs().with("-Djfs.sci.library=" + none)).tell("unavailable");
        assertTrue(said.startsWith("sisci: dlsym: " + none) && said.contains("SCIInitialize"), said);
        String nowhere = natives + "/libnowhere.so";
        said = start(Child.jfs().with("-Djfs.sci.library=" + nowhere)).tell("unavailable");
        assertTrue(said.startsWith("sisci: dlopen: " + nowhere), said);
    }

    /** Two libraries that don't reach the same memory never get a common path. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCardAndTheShimStayApart(boolean clientHasCard) throws Exception {
        StandIn fabric = new StandIn(folder);
        Child.Start shim = Child.jfs().with("-Djfs.sci.library=shim");
        Child client = start(clientHasCard ? fabric.peer() : shim);
        Child server = start(clientHasCard ? shim : fabric.peer());
        connect(client, server);
        staysOnTcp(client, "{OTHER_FABRIC=1}", server, "{OTHER_FABRIC=1}");
        fabric.hasNothingLeft(clientHasCard ? client : server);
    }

    /** The two processes use the same library, but it reaches different memory. */
    @Test
    void twoFabricsStayApart(@TempDir Path other) throws Exception {
        StandIn fabric = new StandIn(folder);
        StandIn elsewhere = new StandIn(other);
        Child client = start(fabric.peer());
        Child server = start(elsewhere.peer());
        connect(client, server);
        staysOnTcp(client, "{FAILED=1}", server, "{FAILED=1}");
        fabric.hasNothingLeft(client);
        elsewhere.hasNothingLeft(server);
    }
}
