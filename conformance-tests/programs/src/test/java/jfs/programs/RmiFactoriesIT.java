package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import jfs.programs.harness.How;
import jfs.programs.harness.Keys;
import jfs.programs.harness.Log;
import jfs.programs.harness.Log.Connection;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import programs.rmi.Client;
import programs.rmi.Holder;

/** RMI over sockets that the program makes: with options, of its own classes, with TLS. */
class RmiFactoriesIT {

    private static final String[] WAYS = {"TUNED", "DEFLATED", "TLS"};

    @TempDir
    static Path folder;

    private static Keys keys;
    private static String oracle;

    @BeforeAll
    static void onTheJdk() throws Exception {
        keys = new Keys(folder);
        oracle = run(How.JDK, How.JDK);
        assertTrue(oracle.contains("\n-- TUNED\n") && oracle.endsWith("\nbound\nstopped"), oracle);
    }

    /** Runs client and server. Returns the transcripts of both. */
    private static String run(How clientHow, How serverHow) throws Exception {
        try (Programs programs = new Programs()) {
            Program server = programs.start(keys.in(RmiIT.server(serverHow,
                    Stream.concat(Stream.of("0"), Stream.of(WAYS)).toArray(String[]::new))));
            String port = server.awaitWord("port");
            server.awaitLine("bound");
            Program holder = programs.start(keys.in(RmiIT.java(clientHow, Holder.class, port)));
            holder.awaitLine("again and again");
            holder.kill(); // while it holds references
            Program client = programs.start(keys.in(RmiIT.java(clientHow, Client.class, port)));
            client.awaitLine("again and again");
            if (clientHow.hasJfs() && serverHow.hasJfs()) {
                Set<Integer> services = ports(server);
                Set<Integer> callbacks = ports(client);
                client.await("fast both ways, at " + server, () -> {
                    Set<Connection> fast = Log.fast(client, server);
                    return Log.remotePorts(fast).containsAll(services)
                            && fast.stream().map(Connection::localPort).toList().containsAll(callbacks);
                });
            } else if (clientHow.hasJfs()) {
                client.await("no peer", () -> Log.reasons(client).contains("NO_PEER"));
            } else if (serverHow.hasJfs()) {
                server.await("no peer", () -> Log.reasons(server).contains("NO_PEER"));
            }
            client.tell();
            client.awaitEnd();
            server.tell();
            server.awaitEnd();
            if (clientHow.hasJfs() != serverHow.hasJfs()) {
                RmiIT.staysOnTcp(clientHow.hasJfs() ? client : server);
            }
            return client.transcript() + "\n-- server\n" + server.transcript();
        }
    }

    /** The ports at which a program waits for calls, one for each way of making sockets. */
    private static Set<Integer> ports(Program program) throws InterruptedException {
        Set<Integer> ports = new HashSet<>();
        for (String way : WAYS) {
            ports.add(Integer.valueOf(program.awaitWord("address " + way)));
        }
        return ports;
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

    /** The server's callbacks are connections that it makes as a client. */
    @Test
    void aServerAlone() throws Exception {
        assertEquals(oracle, run(How.JDK, How.AGENT));
    }
}
