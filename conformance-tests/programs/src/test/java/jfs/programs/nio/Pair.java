package jfs.programs.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jfs.programs.harness.How;
import jfs.programs.harness.Log;
import jfs.programs.harness.Program;
import jfs.programs.harness.Programs;

/**
 * A server and a client, which run in two JVMs: on the JDK, and by the agent with {@code jfs.nio=on}.
 *
 * <p>The server writes the ports that its clients use in one line ("port 1 2"), and stops when it is told to. The client gets these ports
 * as its arguments. It repeats a request at each port {@linkplain programs.Console#untilTold until it is told to go on}, does its work, and
 * ends. Each program writes its {@linkplain programs.Console#sayProvider provider of channels}.
 */
final class Pair {

    private static final String JDK_PROVIDER = "sun.nio.ch.EPollSelectorProvider";
    private static final String JFS_PROVIDER = "sun.nio.ch.JfsProvider";

    /** How to start one of the two programs. */
    interface Starting {
        /** @param arguments none for the server, its ports for the client */
        Program.Start start(How how, String... arguments);
    }

    private final Starting server;
    private final Starting client;

    Pair(Starting server, Starting client) {
        this.server = server;
        this.client = client;
    }

    /**
     * Runs the pair on the JDK and with JFS, and compares what the programs say.
     *
     * @param end the last line of the client's standard output
     */
    void assertSame(String end) throws Exception {
        String oracle = run(How.JDK);
        assertTrue(oracle.contains("\n" + end + "\n"), oracle);
        assertEquals(oracle, run(How.AGENT));
    }

    private static Program.Start nio(Program.Start start, How how) {
        return how.hasJfs() ? start.with("-Djfs.nio=on").with("-esa").with("-ea:jfs...") : start;
    }

    /** Returns the transcripts of both programs. */
    private String run(How how) throws Exception {
        try (Programs programs = new Programs()) {
            Program serving = programs.start(nio(server.start(how), how));
            String[] words = serving.awaitWord("port").split(" ");
            Set<Integer> ports = Arrays.stream(words).map(Integer::valueOf).collect(Collectors.toSet());
            Program asking = programs.start(nio(client.start(how, words), how));
            converse(how, asking, serving, ports);
            return asking.transcript() + "\n-- server\n" + serving.transcript();
        }
    }

    private void converse(How how, Program asking, Program serving, Set<Integer> ports) throws InterruptedException {
        try {
            asking.awaitLine("again and again");
            if (how.hasJfs()) {
                asking.await("fast, at " + serving, () -> Log.remotePorts(Log.fast(asking, serving)).containsAll(ports));
            }
            asking.tell();
            asking.awaitEnd();
            serving.tell();
            serving.awaitEnd();
            for (Program each : List.of(asking, serving)) {
                assertEquals(how.hasJfs() ? JFS_PROVIDER : JDK_PROVIDER, each.awaitWord("provider"), each::toString);
            }
            if (how.hasJfs()) {
                System.out.println("client: " + Log.summary(asking) + "\nserver: " + Log.summary(serving));
                assertFast(asking, serving, ports);
            }
        } catch (AssertionError e) {
            e.addSuppressed(new AssertionError("the server: " + serving));
            throw e;
        }
    }

    /** Asserts that at each port of the server a connection was fast at both ends, and that none that was used stayed on TCP. */
    private static void assertFast(Program asking, Program serving, Set<Integer> ports) {
        Set<Integer> slow = new HashSet<>(ports);
        slow.removeAll(Log.remotePorts(Log.fast(asking, serving)));
        assertEquals(Set.of(), slow, "ports at which no connection was fast");
        for (int port : ports) {
            Log.assertFallbacks(asking, port, null);
        }
        for (Program each : List.of(asking, serving)) {
            assertFalse(Log.summary(each).contains("SocketChannels were used"), each::toString);
            assertFalse(Log.summary(each).contains("open now that JFS can't reach"), each::toString);
        }
    }
}
