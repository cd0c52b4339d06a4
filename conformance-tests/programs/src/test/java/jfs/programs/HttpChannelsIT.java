package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jfs.programs.harness.How;
import jfs.programs.harness.Keys;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import programs.http.ChannelClient;
import programs.http.Server;

/**
 * The JDK's HTTP client talks with the JDK's HTTP server, and with a server on sockets, each on the JDK's channels and sockets or on those
 * of JFS. Between two processes with JFS the connections are fast.
 */
class HttpChannelsIT {

    private static final String JDK = "sun.nio.ch.EPollSelectorProvider";
    private static final String JFS = "sun.nio.ch.JfsProvider";

    @TempDir
    static Path folder;

    private final Keys keys;

    HttpChannelsIT() throws Exception {
        keys = new Keys(folder);
    }

    private Program.Start java(How how, boolean nio, Class<?> main, String... arguments) {
        Program.Start start = keys.in(Program.java(how, main, arguments)).using("http", "slf4j");
        return nio ? start.with("-Djfs.nio=on") : start;
    }

    /** Runs client and server. Returns the client's transcript. */
    private String run(How clientHow, boolean clientNio, How serverHow, boolean serverNio) throws Exception {
        try (Programs programs = new Programs()) {
            Program server = programs.start(java(serverHow, serverNio, Server.class).with("-Dsun.net.httpserver.nodelay=true"));
            String sites = server.awaitWord("port") + " " + server.awaitWord("address");
            String[] arguments = Stream.concat(Stream.of(clientNio ? JFS : JDK), Stream.of(sites.split(" "))).toArray(String[]::new);
            Program client = programs.start(java(clientHow, clientNio, ChannelClient.class, arguments));
            client.awaitLine("again and again");
            if (clientNio && serverNio) {
                Set<Integer> ports = Arrays.stream(sites.split(" ")).skip(1).map(site -> URI.create(site).getPort())
                        .collect(Collectors.toSet());
                client.await("fast, at " + server, () -> Log.remotePorts(Log.fast(client, server)).containsAll(ports));
            }
            client.tell();
            client.awaitEnd();
            server.tell();
            server.awaitEnd();
            assertEquals("stopped", server.transcript());
            for (Program each : List.of(client, server)) { // where there is a log, it would say that the provider is not JFS's
                assertTrue(each.log().stream().noneMatch(line -> line.contains("for channels in this process")), each::toString);
            }
            return client.transcript();
        }
    }

    @Test
    void theProgramsSeeTheSame() throws Exception {
        String oracle = run(How.JDK, false, How.JDK, false);
        assertTrue(oracle.contains("\n-- https\n") && oracle.endsWith("\nclosed"), oracle);
        assertEquals(oracle, run(How.AGENT, true, How.AGENT, true));
        assertEquals(oracle, run(How.AGENT, true, How.JDK, false));
        assertEquals(oracle, run(How.JDK, false, How.AGENT, true));
    }
}
