package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import jfs.programs.harness.How;
import jfs.programs.harness.Log;
import jfs.programs.harness.Log.Connection;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import programs.rmi.Client;
import programs.rmi.Holder;
import programs.rmi.RegistryProcess;
import programs.rmi.Server;

/** RMI: a registry, calls both ways, exceptions, distributed garbage collection, and the server's end. */
class RmiIT {

    private static Said oracle;

    /** The programs' transcripts. */
    record Said(String client, String server) {
    }

    /** What a run waits for before it lets the client go on. */
    private interface Condition {
        boolean holds(Program client, Program server, int registryPort);
    }

    @BeforeAll
    static void onTheJdk() throws Exception {
        oracle = run(How.JDK, How.JDK, null, (client, server, registry) -> true);
        assertTrue(oracle.client.endsWith("\nabandoned is unreferenced"), oracle.client);
        assertEquals("bound\nstopped", oracle.server);
    }

    private static Said run(How clientHow, How serverHow, How registryHow, Condition warm) throws Exception {
        try (Programs programs = new Programs()) {
            Program registry = registryHow == null ? null : programs.start(java(registryHow, RegistryProcess.class));
            String where = registry == null ? "0" : registry.awaitWord("port");
            Program server = programs.start(server(serverHow, where, "PLAIN"));
            String port = registry == null ? server.awaitWord("port") : where;
            server.awaitLine("bound");
            Program holder = programs.start(java(clientHow, Holder.class, port));
            holder.awaitLine("again and again");
            holder.kill(); // while it holds a reference
            Program client = programs.start(java(clientHow, Client.class, port));
            (clientHow.hasJfs() ? client : server).await("the connections are as they should be, at " + server,
                    () -> warm.holds(client, server, Integer.parseInt(port)));
            client.tell();
            client.awaitEnd();
            server.tell();
            server.awaitEnd();
            if (registry != null) {
                registry.end();
            }
            if (clientHow.hasJfs() != serverHow.hasJfs()) {
                staysOnTcp(clientHow.hasJfs() ? client : server);
            }
            return new Said(client.transcript(), server.transcript());
        }
    }

    static void staysOnTcp(Program program) {
        assertEquals(Set.of(), Log.attached(program));
        Set<String> others = new HashSet<>(Log.reasons(program));
        others.removeAll(Set.of("NO_PEER", "NO_OFFER", "NOT_ASKED", "STALE"));
        assertEquals(Set.of(), others);
    }

    static Program.Start java(How how, Class<?> main, String... arguments) {
        return Program.java(how, main, arguments).with("-Djava.rmi.server.hostname=127.0.0.1");
    }

    /** The server's leases are short, so that it soon notices a client's death. */
    static Program.Start server(How how, String... arguments) {
        return java(how, Server.class, arguments).with("-Djava.rmi.dgc.leaseValue=3000")
                .with("-Dsun.rmi.dgc.checkInterval=500");
    }

    /** Whether the client's calls and the server's callbacks are fast. Connections to the registry don't count. */
    private static boolean callsAreFastBothWays(Program client, Program server, int registryPort) {
        Set<Integer> serverPorts = Log.fast(client, server).stream().map(Connection::remotePort)
                .filter(Predicate.not(Predicate.isEqual(registryPort))).collect(Collectors.toSet());
        return serverPorts.size() >= 2; // the port at which the server listens, and the port from which it called
    }

    @ParameterizedTest
    @EnumSource(names = "JDK", mode = EnumSource.Mode.EXCLUDE)
    void bothEndsAreFast(How how) throws Exception {
        assertEquals(oracle, run(how, how, null, RmiIT::callsAreFastBothWays));
    }

    @ParameterizedTest
    @EnumSource
    void theRegistryIsAnotherProcess(How how) throws Exception {
        assertEquals(oracle, run(how, how, how, how.hasJfs() ? RmiIT::callsAreFastBothWays : (c, s, r) -> true));
    }

    @Test
    void launcherAndAgentMeet() throws Exception {
        assertEquals(oracle, run(How.LAUNCHER, How.AGENT, null, RmiIT::callsAreFastBothWays));
    }

    @ParameterizedTest
    @EnumSource(names = "JDK", mode = EnumSource.Mode.EXCLUDE)
    void aClientAlone(How how) throws Exception {
        assertEquals(oracle, run(how, How.JDK, null,
                (client, server, registry) -> Log.reasons(client).contains("NO_PEER")));
    }

    /** The server's callbacks are connections that it makes as a client. */
    @ParameterizedTest
    @EnumSource(names = "JDK", mode = EnumSource.Mode.EXCLUDE)
    void aServerAlone(How how) throws Exception {
        assertEquals(oracle, run(How.JDK, how, null,
                (client, server, registry) -> Log.reasons(server).contains("NO_PEER")));
    }
}
