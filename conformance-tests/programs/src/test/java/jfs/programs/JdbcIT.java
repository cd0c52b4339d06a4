package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jfs.programs.harness.How;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import programs.jdbc.Client;

/** JDBC clients of databases in Java, each database in its own JVM. */
class JdbcIT {

    private enum Database {
        H2(programs.jdbc.H2.class, "jdbc:h2:tcp://127.0.0.1:%s/mem:test;user=sa", "blob", "h2"),
        DERBY(programs.jdbc.Derby.class, "jdbc:derby://127.0.0.1:%s/memory:test;create=true;user=sa", "blob(2m)",
                "derby"),
        HSQLDB(programs.jdbc.Hsqldb.class, "jdbc:hsqldb:hsql://127.0.0.1:%s/test;user=SA", "blob(2m)", "hsqldb");

        private final Class<?> server;
        private final String url;
        private final String blob;
        private final String library;

        Database(Class<?> server, String url, String blob, String library) {
            this.server = server;
            this.url = url;
            this.blob = blob;
            this.library = library;
        }

        /** Runs client and database. Returns the client's transcript. */
        String run(How how) throws Exception {
            try (Programs programs = new Programs()) {
                Program server = programs.start(Program.java(how, this.server).using(library));
                Program client = programs.start(Program.java(how, Client.class,
                        String.format(url, server.awaitWord("port")), blob).using(library));
                client.awaitLine("again and again");
                if (how.hasJfs()) {
                    client.await("fast, at " + server, () -> !Log.fast(client, server).isEmpty());
                }
                client.tell();
                client.awaitEnd();
                server.end();
                if (how.hasJfs()) {
                    String summary = client.log().get(client.log().size() - 1);
                    assertTrue(summary.matches("1 connections: 1 fast, 0 over TCP"), summary);
                }
                return client.transcript();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void bothEndsAreFast(Database database) throws Exception {
        String oracle = database.run(How.JDK);
        assertTrue(oracle.contains("\n1048576 bytes, CRC 8a0e90ae: true\n") && oracle.endsWith("\nclosed"), oracle);
        assertEquals(oracle, database.run(How.LAUNCHER));
        assertEquals(oracle, database.run(How.AGENT));
    }
}
