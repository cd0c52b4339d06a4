package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.stream.Stream;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Leftovers;
import jfs.testing.Await;

/** Shared by the tests of shortages: which end lacks something, how that is brought about, and that nothing is left of it. */
abstract class Shortages extends Children {

    /** The end that lacks it. */
    enum End {
        CLIENT, SERVER
    }

    /** What a client reports about a server that lacks something. */
    static final String PEER = "the peer says: the system has, or allows, no more descriptors, memory or threads for a fast"
            + " path";

    /** A peer whose log has the first connection that stays on TCP for each reason. */
    static Child.Start logging() {
        return Child.jfs().with("-Djfs.log=fallback");
    }

    /** The command that refuses these system calls to the command behind it: see restrict.c. */
    static String[] refusing(String... rules) {
        return Stream.of(new String[] {System.getProperty("test.restrict")}, rules, new String[] {"--"})
                .flatMap(Stream::of).toArray(String[]::new);
    }

    /**
     * The command that runs a shell command in its own mount namespace and then the command behind it. It fails if the
     * shell command fails.
     */
    static String[] inOwnMounts(String command) {
        return new String[] {"unshare", "--mount", "sh", "-c", command + " && exec \"$@\"", "sh"};
    }

    /** Asserts that the child's log has the reason with this text. */
    static void says(Child child, String reason, String detail) throws Exception {
        Await.until(() -> reason + ": " + detail + " in" + child.log(), () -> child.log().lines()
                .anyMatch(line -> line.startsWith("jfs: fallback ") && line.endsWith(" " + reason + ": " + detail)));
    }

    /** Some rounds of questions and answers, fast or not, until both ends close. */
    static void meet(Child client, Child server, long port) {
        connect(client, server, port);
        Child.Order follow = server.begin("follow");
        client.ask("lead 3");
        follow.isDone();
        client.begin("close").isDone();
        server.begin("close").isDone();
    }

    /** Asserts that connections that come and go leave nothing in either process, whether they are fast or not. */
    static void nothingIsLeft(Child client, Child server, long port) throws Exception {
        meet(client, server, port); // makes what is made only once
        settle(client);
        settle(server);
        long before = client.ask("descriptors") + server.ask("descriptors");
        Set<String> names = Leftovers.namesOf(server.pid());
        for (int i = 0; i < 3; i++) {
            meet(client, server, port);
        }
        settle(client);
        settle(server);
        Await.until(() -> before + " descriptors of both again",
                () -> client.ask("descriptors") + server.ask("descriptors") <= before);
        assertEquals(names, Leftovers.namesOf(server.pid()));
        assertEquals(Set.of(), Leftovers.namesOf(client.pid()));
    }

    /** Waits until no region is mapped and the negotiation has nothing to do. */
    private static void settle(Child child) throws Exception {
        Await.until("no region is left", () -> child.ask("mappings") == 0);
        if (!child.tell("negotiates").equals("none")) {
            assertEquals("done", child.tell("negotiated"));
        }
    }

    /** Asserts that the connection's bytes take the fast path, also those for a sleeping reader. */
    static void isFast(Child client, Child server) {
        assertTrue(client.ask("attached") > 0 && server.ask("attached") > 0, "both have a fast path");
        for (Child[] ends : new Child[][] {{client, server}, {server, client}}) {
            Child.Order read = ends[0].begin("read 7 10").blocked();
            ends[1].begin("write 7 10").isDone();
            read.isDone();
        }
        Child.Order exchange = server.begin("exchange 1 2 300000");
        client.begin("exchange 2 1 300000").isDone();
        exchange.isDone();
    }
}
