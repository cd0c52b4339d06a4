package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import programs.rmi.Client;
import programs.rmi.Holder;

/** Programs between two hosts, over MX. */
class HostsIT {

    private static final Pattern SWITCHED = Pattern.compile("jfs: switched (?:out|in) .* over (\\w+)");

    @BeforeAll
    static void assume() throws Exception {
        Hosts.assume();
    }

    /** Every connection that has got a path has it over MX, at both ends, and there is one. Programs may log in between. */
    private static void assertOverMx(Program client, Program server) {
        for (Program program : List.of(client, server)) {
            Set<String> transports = SWITCHED.matcher(program.toString()).results().map(it -> it.group(1))
                    .collect(Collectors.toSet());
            assertEquals(Set.of("mx"), transports, program.toString());
        }
    }

    private static String summary(Program program) {
        return program.log().get(program.log().size() - 1);
    }

    /** Messages of many sizes, checked byte by byte: enough of them for the offer to come in the middle. */
    @Test
    void netpipe() throws Exception {
        try (Hosts hosts = new Hosts()) {
            Program receiver = hosts.server(netpipe("-P", "0"));
            Program transmitter = hosts.client(netpipe("-h", Hosts.SERVERS, "-P", receiver.awaitError("Listening on port"),
                    "-o", "/dev/null"));
            transmitter.awaitEnd();
            receiver.awaitEnd();
            assertOverMx(transmitter, receiver);
            assertTrue(summary(transmitter).startsWith("1 connections: 1 fast, 0 over TCP"), summary(transmitter));
            assertTrue(summary(receiver).startsWith("1 connections: 1 fast, 0 over TCP"), summary(receiver));
        }
    }

    private static Program.Start netpipe(String... more) {
        String[] all = {"-i", "-n", "1000", "-u", "30000", "--warmup", "0"};
        String[] arguments = new String[all.length + more.length];
        System.arraycopy(all, 0, arguments, 0, all.length);
        System.arraycopy(more, 0, arguments, all.length, more.length);
        return Program.java(How.AGENT, "netpipe.NetPipe", arguments).and(System.getProperty("netpipe.jar"));
    }

    /** A registry, calls, the server's calls back to the client, and one who died. */
    @Test
    void rmi() throws Exception {
        assertEquals(rmi(How.JDK), rmi(How.AGENT));
    }

    private static String rmi(How how) throws Exception {
        try (Hosts hosts = new Hosts()) {
            Program server = hosts.server(RmiIT.server(how, "0", "PLAIN"));
            String port = server.awaitWord("port");
            server.awaitLine("bound");
            Program holder = hosts.client(RmiIT.java(how, Holder.class, port));
            holder.awaitLine("again and again");
            holder.kill(); // with a reference in its hands
            Program client = hosts.client(RmiIT.java(how, Client.class, port));
            client.awaitLine("again and again");
            if (how.hasJfs()) {
                client.await("calls are fast both ways, at " + server,
                        () -> Log.remotePorts(Log.fast(client, server)).size() >= 2);
            }
            client.tell();
            client.awaitEnd();
            server.tell();
            server.awaitEnd();
            if (how.hasJfs()) {
                assertOverMx(client, server);
            }
            return client.transcript();
        }
    }

    @Test
    void jdbc() throws Exception {
        assertEquals(jdbc(How.JDK), jdbc(How.AGENT));
    }

    private static String jdbc(How how) throws Exception {
        try (Hosts hosts = new Hosts()) {
            Program server = hosts.server(Program.java(how, programs.jdbc.H2.class).using("h2"));
            Program client = hosts.client(Program.java(how, programs.jdbc.Client.class,
                    "jdbc:h2:tcp://" + Hosts.SERVERS + ":" + server.awaitWord("port") + "/mem:test;user=sa", "blob")
                    .using("h2"));
            client.awaitLine("again and again");
            if (how.hasJfs()) {
                client.await("fast, at " + server, () -> !Log.fast(client, server).isEmpty());
            }
            client.tell();
            client.awaitEnd();
            server.end();
            if (how.hasJfs()) {
                assertOverMx(client, server);
                assertTrue(summary(client).startsWith("1 connections: 1 fast, 0 over TCP"), summary(client));
            }
            return client.transcript();
        }
    }
}
