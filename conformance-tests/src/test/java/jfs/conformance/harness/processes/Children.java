package jfs.conformance.harness.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import jfs.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** Shared by the tests with several processes. When a test ends, in whatever way, all its processes are ended. */
@Tag("processes")
public abstract class Children {

    private final List<Child> all = new ArrayList<>();

    protected Child start(Child.Start how) throws IOException {
        Child child = how.start();
        all.add(child);
        return child;
    }

    @AfterEach
    protected void endAll() {
        all.forEach(Child::close);
    }

    protected static void connect(Child client, Child server) {
        connect(client, server, server.ask("listen 127.0.0.1 0"));
    }

    protected static void connect(Child client, Child server, long port) {
        Child.Order accept = server.begin("accept");
        assertEquals("done", client.tell("connect 127.0.0.1 " + port));
        accept.isDone();
    }

    /** Converses until both ends have switched. */
    protected static void converse(Child client, Child server) {
        long before = server.ask("switched");
        Child.Order follow = server.begin("follow");
        client.ask("lead 0");
        follow.isDone();
        assertEquals(before + 2, server.ask("switched"), "the other end has switched too");
    }

    /** A conversation, then megabytes both ways, which are checked, to the end of each stream. */
    protected static void talkAboutEverything(Child client, Child server) {
        sleepsAndIsWoken(server, client);
        sleepsAndIsWoken(client, server);
        Child.Order follow = server.begin("follow");
        assertEquals(30, client.ask("lead 30"));
        follow.isDone();
        Child.Order exchange = server.begin("exchange 1 2 4000000");
        client.begin("exchange 2 1 4000000").isDone();
        exchange.isDone();
        client.begin("shutdownOutput").isDone();
        assertEquals(0, server.ask("readToEnd 3"));
        server.begin("write 4 100000").isDone();
        server.begin("close").isDone();
        assertEquals(100_000, client.ask("readToEnd 4"));
        client.begin("close").isDone();
    }

    /** @return the method in which the reader's thread slept */
    protected static String sleepsAndIsWoken(Child reader, Child writer) {
        Child.Order read = reader.begin("read 5 1").blocked();
        String method = read.in();
        writer.begin("write 5 1").isDone();
        read.isDone();
        return method;
    }

    /** Asserts that each end stays on TCP for its reason, and that no byte is lost. */
    protected static void staysOnTcp(Child client, String clientsReason, Child server, String serversReason)
            throws Exception {
        staysOnTcp(client, clientsReason, server);
        assertEquals(serversReason, server.fallbacks());
        assertEquals(0, server.ask("switched"));
    }

    /** Asserts the same as far as the client can tell. The server may be a plain one. */
    protected static void staysOnTcp(Child client, String reason, Child server) throws Exception {
        Child.Order follow = server.begin("follow");
        client.ask("lead 5");
        follow.isDone();
        String[] found = {null};
        Await.until(() -> reason + ", but " + found[0], () -> { // waits, because otherwise the connection could end before it has a reason
            found[0] = client.fallbacks();
            return found[0].equals(reason);
        });
        talkAboutEverything(client, server);
        assertEquals(reason, client.fallbacks());
        assertEquals(0, client.ask("switched"));
    }
}
