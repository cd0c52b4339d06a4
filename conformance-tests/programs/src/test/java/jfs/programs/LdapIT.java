package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jfs.programs.harness.How;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import programs.ldap.Client;
import programs.ldap.Server;

/**
 * LDAP clients on JNDI and on UnboundID's SDK: long and short connections, pools, time-outs, and TLS that begins later.
 */
class LdapIT {

    private static final int CONNECTIONS_OF_THE_CONVERSATION = 2;

    private static String oracle;

    @BeforeAll
    static void onTheJdk() throws Exception {
        oracle = run(How.JDK, How.JDK);
        assertTrue(oracle.contains("\nclosed\n") && oracle.endsWith("connections"), oracle);
    }

    private static String run(How clientHow, How serverHow) throws Exception {
        try (Programs programs = new Programs()) {
            Program server = programs.start(Program.java(serverHow, Server.class).using("unboundid"));
            Program client = programs.start(Program.java(clientHow, Client.class, server.awaitWord("port"))
                    .using("unboundid"));
            client.awaitLine("again and again");
            if (clientHow.hasJfs() && serverHow.hasJfs()) {
                client.await("both are fast, at " + server,
                        () -> Log.fast(client, server).size() == CONNECTIONS_OF_THE_CONVERSATION);
            } else if (clientHow.hasJfs()) {
                client.await("no peer", () -> Log.reasons(client).contains("NO_PEER"));
            }
            client.tell();
            client.awaitEnd();
            server.tell();
            server.awaitEnd();
            if (clientHow.hasJfs() && !serverHow.hasJfs()) {
                Log.assertOverTcp(client, "NO_PEER");
            } else if (serverHow.hasJfs() && !clientHow.hasJfs()) {
                Log.assertOverTcp(server, "NO_OFFER");
            }
            return client.transcript() + "\n-- server\n" + server.transcript();
        }
    }

    @ParameterizedTest
    @CsvSource({"LAUNCHER, LAUNCHER", "AGENT, AGENT", "LAUNCHER, JDK", "JDK, AGENT"})
    void findsTheSame(How client, How server) throws Exception {
        assertEquals(oracle, run(client, server));
    }
}
