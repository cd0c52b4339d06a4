package jfs.conformance.vendor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.testing.Await;
import jfs.testing.OnOldestJdk;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which MX library the setting {@code jfs.mx.library} chooses. */
@OnOldestJdk
class MxLibraryChoiceTest extends Children {

    /** With this the dynamic linker finds the stand-in. */
    private static final String FOUND = "LD_LIBRARY_PATH=" + MxStandIn.LIBRARY.getParent();

    @TempDir
    private Path folder;
    private MxStandIn fabric;

    @BeforeEach
    void fabric() throws Exception {
        fabric = new MxStandIn(folder);
    }

    /** @param connections how many connections of the stand-in each process has made */
    private void isFast(Child.Start how, long connections) throws Exception {
        Child server = start(how);
        Child client = start(how);
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}{}", client.fallbacks() + server.fallbacks());
        assertEquals(connections, fabric.times(client, "mx_connect ok"));
        assertEquals(connections, fabric.times(server, "mx_connect ok"));
        fabric.hasNotMisused(client);
        fabric.hasNotMisused(server);
    }

    @Test
    void autoTakesAVendorsWhereThereIsANetwork() throws Exception {
        isFast(fabric.peerWith("auto", FOUND), 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"STANDIN_FAIL=mx__init_api:1+:5", "STANDIN_API=0x200"})
    void autoTakesTheShimWhereThereIsNone(String vendors) throws Exception {
        MxStandIn.assumeShim();
        isFast(fabric.peerWith("auto", FOUND, vendors), 0);
    }

    @Test
    void theShimCanBeForced() throws Exception {
        MxStandIn.assumeShim();
        isFast(fabric.peerWith("shim", FOUND), 0);
    }

    /** Two libraries that don't reach each other never get a common path: there is an endpoint of that id, but it has another key. */
    @Test
    void twoFabricsStayApart(@TempDir Path other) throws Exception {
        MxStandIn elsewhere = new MxStandIn(other);
        Child server = start(elsewhere.peer().with("-Djfs.hosts.ports=" + fabric.port()));
        Child client = start(fabric.peer());
        connect(client, server);
        staysOnTcp(client, "{FAILED=1}", server, "{FAILED=1}");
        Await.until(server::log, () -> server.log().contains(" FAILED: mx_connect: error 34, says the stand-in"));
        fabric.hasNothingLeft(client);
        elsewhere.hasNothingLeft(server);
    }

    /** A user who names a file wants that library. JFS uses no other one instead, and reports what is wrong with it. */
    private void isRefused(String library, String reason, String... environment) throws Exception {
        Child server = start(fabric.peer());
        Child client = start(fabric.peerWith(library, environment));
        connect(client, server);
        staysOnTcp(client, "{NO_MX=1}", server, "{NO_OFFER=1}");
        Await.until(client::log, () -> client.log().contains(" NO_MX: mx: "));
        assertTrue(client.log().contains(reason), client.log());
        fabric.isUnused(client);
    }

    @Test
    void anOlderInterfaceIsRefused() throws Exception {
        isRefused(MxStandIn.LIBRARY.toString(), "mx_init: error 38, says the stand-in (" + MxStandIn.LIBRARY + ")",
                "STANDIN_API=0x200");
    }

    @Test
    void oneWithoutANetworkIsRefused() throws Exception {
        isRefused(MxStandIn.LIBRARY.toString(), "mx_init: error 5, says the stand-in (" + MxStandIn.LIBRARY + ")",
                "STANDIN_FAIL=mx__init_api:1:5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mx__init_api", "mx_set_error_handler", "mx_strerror", "mx_strstatus", "mx_open_endpoint",
        "mx_close_endpoint", "mx_wakeup", "mx_get_endpoint_addr", "mx_decompose_endpoint_addr", "mx_connect", "mx_disconnect",
        "mx_isend", "mx_irecv", "mx_test_any", "mx_peek", "MX_ERRORS_RETURN"})
    void oneThatLacksACallIsRefused(String call) throws Exception {
        String bytes = Files.readString(MxStandIn.LIBRARY, StandardCharsets.ISO_8859_1);
        assertTrue(bytes.contains("\0" + call + "\0"));
        Path library = folder.resolve("libmyriexpress.so");
        Files.writeString(library, bytes.replace("\0" + call + "\0", "\0no" + call.substring(2) + "\0"),
                StandardCharsets.ISO_8859_1);
        isRefused(library.toString(), "undefined symbol: " + call);
    }

    @Test
    void oneThatIsNotThereIsRefused() throws Exception {
        isRefused("/nowhere/libmyriexpress.so", "dlopen: /nowhere/libmyriexpress.so");
    }
}
