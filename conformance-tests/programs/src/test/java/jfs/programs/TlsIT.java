package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import jfs.programs.harness.How;
import jfs.programs.harness.Keys;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import programs.tls.Client;
import programs.tls.Server;

/** TLS over fast connections, and over connections that become fast while TLS uses them. */
class TlsIT {

    @TempDir
    static Path folder;

    private static Keys keys;
    private static String stranger;
    private static String oracle;

    @BeforeAll
    static void onTheJdk() throws Exception {
        keys = new Keys(folder);
        stranger = keys.stranger().toString();
        oracle = run(How.JDK, How.JDK);
        assertTrue(oracle.contains("\nresumed: true\n") && oracle.endsWith("\nstopped"), oracle);
    }

    /** Runs client and server. Returns the transcripts of both. */
    private static String run(How clientHow, How serverHow) throws Exception {
        try (Programs programs = new Programs()) {
            Program server = programs.start(keys.in(Program.java(serverHow, Server.class, stranger, Keys.PASSWORD)));
            String[] ports = server.awaitWord("port").split(" ");
            Program client = programs.start(keys.in(Program.java(clientHow, Client.class, ports)));
            client.awaitLine("again and again");
            boolean both = clientHow.hasJfs() && serverHow.hasJfs();
            Set<Integer> busy = Set.of(Integer.parseInt(ports[0]), Integer.parseInt(ports[3]));
            if (both) {
                client.await("fast, at " + server, () -> Log.remotePorts(Log.fast(client, server)).equals(busy));
            } else if (clientHow.hasJfs()) {
                client.await("no peer", () -> busy.stream()
                        .allMatch(port -> Log.fallbacks(client, port).contains("NO_PEER")));
            }
            client.tell();
            client.awaitEnd();
            server.tell();
            server.awaitEnd();
            if (!both) {
                assertEquals(Set.of(), Log.attached(client));
                assertEquals(Set.of(), Log.attached(server));
                assertEquals(serverHow.hasJfs() ? Set.of("NO_OFFER") : Set.of(), Log.reasons(server));
            }
            for (String port : ports) {
                Log.assertFallbacks(client, Integer.parseInt(port), both ? null : "NO_PEER");
            }
            return client.transcript() + "\n-- server\n" + server.transcript();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "JDK", mode = EnumSource.Mode.EXCLUDE)
    void bothEndsAreFast(How how) throws Exception {
        assertEquals(oracle, run(how, how));
    }

    @Test
    void aClientAlone() throws Exception {
        assertEquals(oracle, run(How.LAUNCHER, How.JDK));
    }

    @Test
    void aServerAlone() throws Exception {
        assertEquals(oracle, run(How.JDK, How.AGENT));
    }
}
