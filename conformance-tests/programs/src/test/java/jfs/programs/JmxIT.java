package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jfs.programs.harness.How;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import programs.jmx.Client;
import programs.jmx.Server;

/** JMX: attributes, operations and notifications of another JVM. */
class JmxIT {

    private static String oracle;

    @BeforeAll
    static void onTheJdk() throws Exception {
        oracle = run(How.JDK);
        assertTrue(oracle.contains("\nnotified of 5050\n") && oracle.endsWith("\nstopped"), oracle);
    }

    private static String run(How how) throws Exception {
        try (Programs programs = new Programs()) {
            Program server = programs.start(java(how, Server.class));
            Program client = programs.start(java(how, Client.class, server.awaitWord("address")));
            client.awaitLine("again and again");
            if (how.hasJfs()) {
                client.await("fast, at " + server, () -> !Log.fast(client, server).isEmpty());
            }
            client.tell();
            client.awaitEnd();
            server.tell();
            return client.transcript() + "\n-- server\n" + server.awaitEnd().transcript();
        }
    }

    private static Program.Start java(How how, Class<?> main, String... arguments) {
        return Program.java(how, main, arguments).with("-Djava.rmi.server.hostname=127.0.0.1");
    }

    @ParameterizedTest
    @EnumSource(names = "JDK", mode = EnumSource.Mode.EXCLUDE)
    void bothEndsAreFast(How how) throws Exception {
        assertEquals(oracle, run(how));
    }
}
