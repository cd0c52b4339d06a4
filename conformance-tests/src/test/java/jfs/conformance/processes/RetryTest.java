package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Commands;
import jfs.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Offers that fail for a reason that passes. The connections become fast when they are used further. */
class RetryTest extends Children {

    /** More connections than there are offers to one listener at the same time. */
    private static final int CONNECTIONS = 50;

    private Child server;
    private Child client;
    private boolean stopped;

    private void begin(int connections) throws Exception {
        server = start(logging());
        client = start(logging());
        long port = server.ask("listen 127.0.0.1 0");
        connect(connections, port);
    }

    /** Makes one exchange on each connection. The next question is a turnaround. */
    private void connect(int connections, long port) {
        for (int i = 0; i < connections; i++) {
            connect(client, server, port);
            client.begin("keep").isDone();
            server.begin("keep").isDone();
        }
        exchange(1);
    }

    private static Child.Start logging() {
        return Child.jfs().with("-Djfs.log=fallback");
    }

    private void exchange(int rounds) {
        Child.Order answers = server.begin("answerKept");
        client.begin("askKept " + rounds).isDone();
        answers.isDone();
    }

    @AfterEach
    void goOn() throws Exception {
        if (stopped) {
            Commands.goOn(server);
        }
    }

    private void awaitReason(Child child, String fallbacks) throws Exception {
        String[] found = {null};
        Await.until(() -> fallbacks + ", but " + found[0], () -> {
            found[0] = child.fallbacks();
            return found[0].equals(fallbacks);
        });
    }

    /** Asserts that all kept connections become fast at both ends, and that no reason is counted any more. */
    private void becomeFast(int connections) throws Exception {
        Await.until(() -> "fast: " + client.tell("attached") + ", " + server.tell("attached"), () -> {
            exchange(1);
            return client.ask("attached") == connections && server.ask("attached") == connections;
        });
        exchange(3);
        assertEquals(2 * connections, client.ask("switched"));
        assertEquals(2 * connections, server.ask("switched"));
        assertEquals("{}", client.fallbacks());
        assertEquals("{}", server.fallbacks());
    }

    /** The stop is longer than an offer waits for its answer, as with a full collection or a paused container. */
    @Test
    void theServerWasStopped() throws Exception {
        begin(CONNECTIONS);
        stopped = true;
        Commands.stop(server);
        client.begin("questionKept").isDone();
        awaitReason(client, "{NO_ANSWER=" + CONNECTIONS + "}");
        Commands.goOn(server);
        stopped = false;
        server.begin("answerKept").isDone();
        client.begin("hearKept").isDone();
        becomeFast(CONNECTIONS);
        assertTrue(client.ask("retries") >= CONNECTIONS);
        assertEquals(1, client.log().split("jfs: passed ", -1).length - 1, client.log());
    }

    /** Each end has its reason at first, and none at the end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneEndHadNoDescriptorLeft(boolean isServer) throws Exception {
        Child.Start limited = logging().under("prlimit", "--nofile=300:300");
        server = start(isServer ? limited : logging());
        client = start(isServer ? logging() : limited);
        Child shortOne = isServer ? server : client;
        long port = server.ask("listen 127.0.0.1 0");
        connect(1, port);
        becomeFast(1); // everything that needs a descriptor only once has it by now
        shortOne.begin("openAllBut 1").isDone(); // one for the connection itself
        connect(1, port);
        exchange(3);
        awaitReason(client, "{NO_RESOURCES=1}");
        awaitReason(server, isServer ? "{NO_RESOURCES=1}" : "{}");
        shortOne.begin("closeOpened").isDone();
        becomeFast(2);
    }

    /** The listener gets no name when it listens, and none when its connection looks like a conversation. */
    @Test
    void aListenerCouldNotHaveItsName() throws Exception {
        server = start(logging().under("prlimit", "--nofile=300:300"));
        client = start(logging());
        connect(1, server.ask("listen 127.0.0.1 0"));
        becomeFast(1); // everything that needs a descriptor only once has it by now
        server.begin("closeListener").isDone();
        server.begin("openAllBut 1").isDone(); // one for the listener itself
        long port = server.ask("listen 127.0.0.1 0");
        server.begin("closeOpened").isDone();
        server.begin("openAllBut 1").isDone(); // one for the connection itself
        connect(1, port);
        exchange(3);
        awaitReason(server, "{NO_RESOURCES=1}");
        server.begin("closeOpened").isDone();
        becomeFast(2);
        assertTrue(server.ask("retries") >= 1);
    }

    /** The backlog of the name is full. Then the name is gone, and the listener takes another one. */
    @Test
    void theNameWasBusy() throws Exception {
        Child squatter = start(Child.jfs());
        Child plain = start(Child.plain()); // finds a port
        squatter.ask("listen 127.0.0.1 0"); // loads its native library
        long port = plain.ask("listen 127.0.0.1 0");
        plain.begin("closeListener").isDone();
        squatter.begin("occupy jfs/1/00000000000000000000ffff7f000001:" + port + "#0").isDone();
        server = start(logging());
        client = start(logging());
        server.ask("listen 127.0.0.1 " + port);
        connect(1, port);
        exchange(3);
        awaitReason(client, "{PEER_BUSY=1}");
        squatter.close();
        becomeFast(1);
    }
}
