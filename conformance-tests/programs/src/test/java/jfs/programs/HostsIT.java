package jfs.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jfs.programs.harness.Hosts;
import jfs.programs.harness.How;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import programs.rmi.Client;
import programs.rmi.Holder;

/** Programs on two hosts, which JFS connects over MX. */
class HostsIT {

    private static final Pattern SWITCHED = Pattern.compile("jfs: switched (?:out|in) .* over (\\w+)");

    private static final String[] BAD_WIRE = {"delay", "2ms", "1ms", "loss", "1%"};
    /** Reasons of a connection whose offer failed because a packet was lost and the offer could not wait for it. */
    private static final Set<String> OF_LOSS = Set.of("NO_RENDEZVOUS", "NO_ANSWER", "HUNG_UP", "FAILED", "PATH_FAILED",
            "PEER_BUSY");
    private static final int TRIES = 6;

    @BeforeAll
    static void assume() throws Exception {
        Hosts.assume();
    }

    /** The client's transcript, and whether the bytes went over MX. */
    private record Outcome(String transcript, boolean overMx) {
    }

    /** A run of two programs that talk to each other. */
    private interface Talk {
        Outcome between(Hosts hosts, How how) throws Exception;
    }

    private static Outcome outcome(Talk talk, How how, String... badWire) throws Exception {
        try (Hosts hosts = new Hosts(badWire)) {
            return talk.between(hosts, how);
        }
    }

    /** The transcript is the same as without JFS, and the bytes go over MX. */
    private static void onAGoodWire(Talk talk) throws Exception {
        String transcript = outcome(talk, How.JDK).transcript;
        assertEquals(new Outcome(transcript, true), outcome(talk, How.AGENT));
    }

    /**
     * The transcript is the same as without JFS, whatever becomes of the offers. In one of the tries the bytes go over
     * MX.
     */
    private static void onABadWire(Talk talk) throws Exception {
        Hosts.assumeBadWire();
        String transcript = outcome(talk, How.JDK, BAD_WIRE).transcript;
        boolean overMx = false;
        for (int i = 0; !overMx; i++) {
            assertTrue(i < TRIES, "all offers are lost");
            Outcome outcome = outcome(talk, How.AGENT, BAD_WIRE);
            assertEquals(transcript, outcome.transcript);
            overMx = outcome.overMx;
        }
    }

    /** Whether a connection has stayed on TCP because of the bad wire. */
    private static boolean isLost(Hosts hosts, Program client, Program server) {
        Set<String> reasons = new HashSet<>(Log.reasons(client));
        reasons.addAll(Log.reasons(server));
        reasons.retainAll(OF_LOSS);
        return hosts.haveABadWire() && !reasons.isEmpty();
    }

    /**
     * Asserts that all connections with a fast path have it over MX, at both ends, and that there is such a connection.
     * The programs may write to their logs meanwhile.
     */
    private static boolean wentOverMx(Hosts hosts, How how, Program client, Program server) {
        if (!how.hasJfs() || isLost(hosts, client, server)) {
            return false;
        }
        for (Program program : List.of(client, server)) {
            Set<String> transports = SWITCHED.matcher(program.toString()).results().map(it -> it.group(1))
                    .collect(Collectors.toSet());
            assertEquals(Set.of("mx"), transports, program.toString());
        }
        return true;
    }

    private static void assertOneIsFast(Program program) {
        List<String> log = program.log();
        assertTrue(log.get(log.size() - 1).startsWith("1 connections: 1 fast, 0 over TCP"), program.toString());
    }

    @Test
    void netpipe() throws Exception {
        onAGoodWire((hosts, how) -> netpipe(hosts, how, "1000"));
    }

    @Test
    void netpipeOnABadWire() throws Exception {
        onABadWire((hosts, how) -> netpipe(hosts, how, "5"));
    }

    /**
     * NetPIPE's messages of many sizes, each checked byte by byte. There are enough of them that the offer comes in the
     * middle.
     */
    private static Outcome netpipe(Hosts hosts, How how, String repeats) throws Exception {
        Program receiver = hosts.server(netpipe(how, repeats, "-P", "0"));
        Program transmitter = hosts.client(netpipe(how, repeats, "-h", Hosts.SERVERS, "-P",
                receiver.awaitError("Listening on port"), "-o", "/dev/null"));
        transmitter.awaitEnd();
        receiver.awaitEnd();
        boolean overMx = wentOverMx(hosts, how, transmitter, receiver);
        if (overMx) {
            assertOneIsFast(transmitter);
            assertOneIsFast(receiver);
        }
        return new Outcome("times, which are others each time", overMx);
    }

    private static Program.Start netpipe(How how, String repeats, String... more) {
        List<String> arguments = new ArrayList<>(List.of("-i", "-n", repeats, "-u", "30000", "--warmup", "0"));
        arguments.addAll(List.of(more));
        return Program.java(how, "netpipe.NetPipe", arguments.toArray(String[]::new)).and(System.getProperty("netpipe.jar"));
    }

    @Test
    void rmi() throws Exception {
        onAGoodWire(HostsIT::rmi);
    }

    @Test
    void rmiOnABadWire() throws Exception {
        onABadWire(HostsIT::rmi);
    }

    /** A registry, calls, the server's calls back to the client, and a client that has died. */
    private static Outcome rmi(Hosts hosts, How how) throws Exception {
        Program server = hosts.server(RmiIT.server(how, "0", "PLAIN"));
        String port = server.awaitWord("port");
        server.awaitLine("bound");
        Program holder = hosts.client(RmiIT.java(how, Holder.class, port));
        holder.awaitLine("again and again");
        holder.kill(); // while it holds a reference
        Program client = hosts.client(RmiIT.java(how, Client.class, port));
        client.awaitLine("again and again");
        if (how.hasJfs()) {
            client.await("calls are fast both ways, at " + server, () -> isLost(hosts, client, server)
                    || Log.remotePorts(Log.fast(client, server)).size() >= 2);
        }
        client.tell();
        client.awaitEnd();
        server.tell();
        server.awaitEnd();
        return new Outcome(client.transcript(), wentOverMx(hosts, how, client, server));
    }

    @Test
    void jdbc() throws Exception {
        onAGoodWire(HostsIT::jdbc);
    }

    @Test
    void jdbcOnABadWire() throws Exception {
        onABadWire(HostsIT::jdbc);
    }

    private static Outcome jdbc(Hosts hosts, How how) throws Exception {
        Program server = hosts.server(Program.java(how, programs.jdbc.H2.class).using("h2"));
        Program client = hosts.client(Program.java(how, programs.jdbc.Client.class,
                "jdbc:h2:tcp://" + Hosts.SERVERS + ":" + server.awaitWord("port") + "/mem:test;user=sa", "blob")
                .using("h2"));
        client.awaitLine("again and again");
        if (how.hasJfs()) {
            client.await("fast, at " + server, () -> isLost(hosts, client, server) || !Log.fast(client, server).isEmpty());
        }
        client.tell();
        client.awaitEnd();
        server.end();
        boolean overMx = wentOverMx(hosts, how, client, server);
        if (overMx) {
            assertOneIsFast(client);
        }
        return new Outcome(client.transcript(), overMx);
    }
}
