package jfs.conformance.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Commands;
import jfs.conformance.harness.processes.Leftovers;
import jfs.testing.Await;
import jfs.testing.OnOldestJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Builds that speak other versions of the protocol. Connections use the newest version that both speak. Otherwise they stay
 * on TCP, and both ends say why.
 */
@OnOldestJdk
class VersionsTest extends Children {

    @TempDir
    static Path builds;

    private Child start(Build build) throws Exception {
        return start(build.in(builds).with("-Djfs.log=all"));
    }

    /** After an offer in a version that the server doesn't speak the client makes another one. */
    @ParameterizedTest
    @CsvSource({
        "SPEAKS_1_TO_4,  THIS,           2",
        "SPEAKS_1_TO_4,  FIRST,          2",
        "THIS,           SPEAKS_1_TO_4,  1",
        "THIS,           FIRST,          2",
        "FIRST,          SPEAKS_1_TO_4,  1",
        "SPEAKS_1_TO_4,  SPEAKS_1_TO_4,  1",
        "SPEAKS_3_AND_4, THIS,           2",
        "THIS,           SPEAKS_3_AND_4, 1",
        "SECOND,         THIS,           1",
        "THIS,           SECOND,         2",
        "SECOND,         SPEAKS_1_TO_4,  1",
        "SAYS_MORE,      THIS,           1",
        "SAYS_MORE,      FIRST,          2",
        "THIS,           SAYS_MORE,      1",
        "FIRST,          SAYS_MORE,      1",
    })
    void connectionsUseTheNewestCommonVersion(Build clients, Build servers, int offers) throws Exception {
        Child server = start(servers);
        Child client = start(clients);
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
        assertEquals(offers, client.ask("offers"));
    }

    /** A client that offers at once does so before its connection is accepted. The offer waits in the server. */
    @ParameterizedTest
    @CsvSource({"THIS", "FIRST"})
    void fastFromTheFirstByte(Build servers) throws Exception {
        Child server = start(servers);
        Child client = start(Build.SPEAKS_1_TO_4.in(builds).with("-Djfs.upgrade.after=0"));
        long port = server.ask("listen 127.0.0.1 0");
        assertEquals("done", client.tell("connect 127.0.0.1 " + port));
        client.begin("negotiated").isDone(); // the client waits for an answer
        server.begin("accept").isDone();
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals(2, client.ask("offers"));
    }

    /** The older server is asked first, because its name still stands for one of its own connections. */
    @Test
    void anOlderServerHasAnotherNameOfThatPort() throws Exception {
        Child older = start(Build.FIRST);
        Child server = start(Build.THIS);
        Child client = start(Build.SPEAKS_1_TO_4);
        long port = older.ask("listen 127.0.0.1 0");
        connect(client, older, port);
        client.begin("keep").isDone();
        older.begin("keep").isDone();
        older.begin("closeListener").isDone();
        assertFalse(Leftovers.namesOf(older.pid()).isEmpty());
        assertEquals(port, server.ask("listen 0.0.0.0 " + port));
        connect(client, server, port);
        converse(client, server);
        talkAboutEverything(client, server);
        assertEquals("{}", client.fallbacks());
        assertEquals(3, client.ask("offers")); // one of them to the older server, which answers that the connection is not its own
    }

    private static final String KNOWN = "the peer speaks %s of JFS's protocol, this process %s";

    @ParameterizedTest
    @CsvSource({
        "SPEAKS_4_AND_5, THIS,           VERSION,  versions 4 to 5, VERSION,  versions 1 to 3",
        "THIS,           SPEAKS_4_AND_5, VERSION,  versions 1 to 3, VERSION,  versions 4 to 5",
        // The first builds don't know this reason.
        "SPEAKS_3_AND_4, FIRST,          VERSION,  versions 3 to 4, NO_OFFER, version 1",
        "FIRST,          SPEAKS_3_AND_4, DECLINED, version 1,       VERSION,  versions 3 to 4",
    })
    void overTcpWhereNothingIsInCommon(Build clients, Build servers, String clientSays, String clientSpeaks,
            String serverSays, String serverSpeaks) throws Exception {
        Child server = start(servers);
        Child client = start(clients);
        connect(client, server);
        staysOnTcp(client, "{" + clientSays + "=1}", server, "{" + serverSays + "=1}");
        explains(client, clientSays, String.format(KNOWN, serverSpeaks, clientSpeaks));
        explains(server, serverSays, String.format(KNOWN, clientSpeaks, serverSpeaks));
    }

    private static void explains(Child who, String reason, String detail) throws Exception {
        if (reason.equals("VERSION")) {
            Await.until(() -> who.log() + " has not: " + detail, () -> who.log().contains(" VERSION: " + detail));
        }
    }

    /** No end maps memory that differs from the offer. */
    @ParameterizedTest
    @CsvSource({"MIXES_VERSIONS, THIS", "MIXES_VERSIONS, FIRST", "MIXES_SIZES, THIS", "MIXES_SIZES, FIRST"})
    void overTcpWhereTheRegionIsNotTheOffers(Build clients, Build servers) throws Exception {
        Child server = start(servers);
        Child client = start(clients);
        connect(client, server);
        staysOnTcp(client, "{FAILED=1}", server, "{FAILED=1}");
        Await.until(server::log, () -> server.log().contains("not the one that the offer describes"));
        assertEquals(0, client.ask("mappings") + server.ask("mappings"));
    }

    /** With a card each end offers memory. */
    @ParameterizedTest
    @CsvSource({"MIXES_VERSIONS, THIS", "THIS, MIXES_VERSIONS", "MIXES_SIZES, THIS", "THIS, MIXES_SIZES"})
    void overTcpWhereASegmentIsNotTheOffers(Build clients, Build servers, @TempDir Path fabric) throws Exception {
        String[] environment = {"env", "STANDIN_DIR=" + fabric};
        String library = "-Djfs.sci.library=" + System.getProperty("sisci.standin");
        Child server = start(servers.in(builds).with(library).with("-Djfs.log=all").under(environment));
        Child client = start(clients.in(builds).with(library).with("-Djfs.log=all").under(environment));
        connect(client, server);
        boolean ofClient = servers == Build.THIS;
        staysOnTcp(client, "{FAILED=1}", server, ofClient ? "{FAILED=1}" : "{}");
        Child finder = ofClient ? server : client;
        Await.until(finder::log, () -> finder.log().contains("not the one that the offer describes"));
    }

    /** Builds of version 1 show no token. So it must be visible that they hold the connection, or they must be trusted. */
    @ParameterizedTest
    @CsvSource({"THIS, FIRST", "FIRST, THIS"})
    void theFirstBuildInAContainerOfItsOwn(Build clients, Build servers) throws Exception {
        Commands.assumeContainers();
        Child server = start(servers.in(builds).contained());
        Child client = start(clients.in(builds).contained());
        connect(client, server);
        boolean knownToClient = clients == Build.THIS;
        // A server of the first build has attached its connection to a path, which stays unused.
        staysOnTcp(client, knownToClient ? "{UNPROVEN=1}" : "{DECLINED=1}", server,
                knownToClient ? "{}" : "{UNPROVEN=1}");
    }

    @ParameterizedTest
    @CsvSource({"THIS, FIRST", "FIRST, THIS"})
    void theFirstBuildInAContainerThatIsTrusted(Build clients, Build servers) throws Exception {
        Commands.assumeContainers();
        Child server = start(trusting(servers));
        Child client = start(trusting(clients));
        connect(client, server);
        converse(client, server);
        talkAboutEverything(client, server);
    }

    private static Child.Start trusting(Build build) throws Exception {
        Child.Start start = build.in(builds).contained();
        return build == Build.FIRST ? start : start.with("-Djfs.unproven=allow"); // the first build does so anyway
    }

    // Native libraries have their own versions.

    /** The folder that {@code jfs.native.dir} names may have the natives of an earlier build. */
    @Test
    void nativesOfAnotherBuild(@TempDir Path natives) throws Exception {
        try (FileSystem jar = FileSystems.newFileSystem(Build.FIRST.jar());
                Stream<Path> libraries = Files.list(jar.getPath("jfs/nativelib/linux-x86-64"))) {
            for (Path library : libraries.toList()) {
                Files.copy(library, natives.resolve(library.getFileName().toString()));
            }
        }
        Child server = start(Build.THIS);
        Child client = start(Child.jfsWithNatives(natives.toString()));
        assertEquals("native library: " + natives.resolve("libjfs_jni.so") + " is of another version of JFS",
                client.tell("unavailable"));
        connect(client, server);
        staysOnTcp(client, "{UNAVAILABLE=1}", server, "{NO_OFFER=1}");
    }

    private static final Path OTHER_SISCI =
            Path.of("../native/target/cmake/native/scilib-shim/test/other/libsisci.so").toAbsolutePath();

    private Child startWithOtherSisci() throws Exception {
        Path folder = builds.resolve("natives");
        if (!Files.exists(folder)) {
            Files.createDirectory(folder);
            Path natives = Path.of(System.getProperty("jfs.native.dir")).toAbsolutePath();
            for (String name : new String[] {"libjfs_jni.so", "libmyriexpress.so"}) {
                Files.createSymbolicLink(folder.resolve(name), natives.resolve(name));
            }
            Files.createSymbolicLink(folder.resolve("libsisci.so"), OTHER_SISCI);
        }
        return start(Child.jfsWithNatives(folder.toString()).with("-Djfs.log=all"));
    }

    @ParameterizedTest
    @CsvSource({"client", "server", "both"})
    void anotherSisciLibrary(String whose) throws Exception {
        Child server = whose.equals("client") ? start(Build.THIS) : startWithOtherSisci();
        Child client = whose.equals("server") ? start(Build.THIS) : startWithOtherSisci();
        connect(client, server);
        if (whose.equals("both")) {
            converse(client, server);
            return;
        }
        staysOnTcp(client, "{VERSION=1}", server, "{VERSION=1}");
        assertTrue(server.log().contains("VERSION: SCIConnectSegment: the two sides run versions that don't fit"),
                server.log());
        assertEquals(0, client.ask("mappings") + server.ask("mappings"));
    }
}
