package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import jfs.programs.harness.How;
import jfs.programs.harness.Keys;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import programs.http.PoolClient;
import programs.http.Server;
import programs.http.UrlClient;

/**
 * HTTP clients of two servers, each with TLS and without: one uses sockets, and the other one channels, which JFS can't
 * reach.
 */
class HttpIT {

    @TempDir
    static Path folder;

    private static Keys keys;

    @BeforeAll
    static void onTheJdk() throws Exception {
        keys = new Keys(folder);
        for (Client client : Client.values()) {
            client.oracle = run(client, How.JDK, How.JDK);
            assertTrue(client.oracle.contains("\n-- https\n") && client.oracle.contains("\nclosed"), client.oracle);
        }
    }

    private enum Client {
        URL_CONNECTION(UrlClient.class),
        HTTP_CLIENT(PoolClient.class);

        private final Class<?> main;
        private String oracle;

        Client(Class<?> main) {
            this.main = main;
        }
    }

    private static Program.Start java(How how, Class<?> main, String... arguments) {
        return keys.in(Program.java(how, main, arguments)).using("http", "slf4j");
    }

    /** Runs client and server. Returns the client's transcript. */
    private static String run(Client which, How clientHow, How serverHow) throws Exception {
        try (Programs programs = new Programs()) {
            Program server = programs.start(java(serverHow, Server.class).with("-Dsun.net.httpserver.nodelay=true"));
            String sites = server.awaitWord("port") + " " + server.awaitWord("address");
            List<Integer> ports = Arrays.stream(sites.split(" ")).skip(1).map(URI::create).map(URI::getPort).toList();
            Set<Integer> sockets = Set.copyOf(ports.subList(0, 2));
            Set<Integer> channels = Set.copyOf(ports.subList(2, 4));
            Program client = programs.start(java(clientHow, which.main, sites.split(" ")));
            client.awaitLine("again and again");
            boolean both = clientHow.hasJfs() && serverHow.hasJfs();
            if (both) {
                client.await("fast to " + sockets + ", at " + server,
                        () -> Log.remotePorts(Log.fast(client, server)).equals(sockets));
            }
            if (clientHow.hasJfs()) {
                client.await("no peer", () -> (both ? channels : ports).stream()
                        .allMatch(port -> Log.fallbacks(client, port).contains("NO_PEER")));
            }
            client.tell();
            client.awaitEnd();
            server.tell();
            server.awaitEnd();
            assertEquals(both ? sockets : Set.of(), Log.remotePorts(Log.attached(client)));
            if (serverHow.hasJfs() && !both) {
                Log.assertOverTcp(server, "NO_OFFER");
            }
            for (int port : ports) {
                Log.assertFallbacks(client, port, both && sockets.contains(port) ? null : "NO_PEER");
            }
            assertEquals("stopped", server.transcript());
            return client.transcript();
        }
    }

    @ParameterizedTest
    @EnumSource
    void byLauncher(Client client) throws Exception {
        assertEquals(client.oracle, run(client, How.LAUNCHER, How.LAUNCHER));
    }

    @ParameterizedTest
    @EnumSource
    void byAgent(Client client) throws Exception {
        assertEquals(client.oracle, run(client, How.AGENT, How.AGENT));
    }

    @ParameterizedTest
    @EnumSource
    void aClientAlone(Client client) throws Exception {
        assertEquals(client.oracle, run(client, How.LAUNCHER, How.JDK));
    }

    @ParameterizedTest
    @EnumSource
    void aServerAlone(Client client) throws Exception {
        assertEquals(client.oracle, run(client, How.JDK, How.AGENT));
    }
}
