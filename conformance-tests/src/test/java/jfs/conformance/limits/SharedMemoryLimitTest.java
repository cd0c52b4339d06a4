package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jfs.conformance.harness.processes.Child;
import jfs.testing.Await;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The connections of a process hold all the shared memory that {@code jfs.memory.max} allows. */
class SharedMemoryLimitTest extends Shortages {

    /** The number of connections that the budget has room for. */
    private static final int ROOM = 4;
    private static final String SPENT = "the connections of this process hold all the shared memory that is allowed, "
            + (ROOM << 16) + " bytes (jfs.memory.max)";

    private static Child.Start limited(boolean is) {
        return is ? logging().with("-Djfs.memory.max=" + ROOM * 64 + "k") : logging();
    }

    /** The next connection stays on TCP and says why. When one of the others has closed there is room again. */
    @ParameterizedTest
    @EnumSource(End.class)
    void aConnectionBeyondTheBudgetStaysOnTcp(End end) throws Exception {
        Child server = start(limited(end == End.SERVER));
        Child client = start(limited(end == End.CLIENT));
        long port = server.ask("listen 127.0.0.1 0");
        for (int i = 0; i < ROOM; i++) {
            connect(client, server, port);
            converse(client, server);
            client.begin("keep").isDone();
            server.begin("keep").isDone();
        }
        connect(client, server, port);
        Child.Order follow = server.begin("follow");
        client.ask("lead 5");
        follow.isDone();
        says(end == End.SERVER ? server : client, "NO_RESOURCES", SPENT);
        if (end == End.SERVER) {
            Await.until("the client is told", () -> client.log().contains(PEER));
        }
        talkAboutEverything(client, server);
        assertEquals(ROOM, client.ask("attached"));

        long regions = client.ask("mappings");
        for (Child child : new Child[] {client, server}) {
            child.begin("takeKept").isDone(); // the first one, which is the only one in its region
            child.begin("close").isDone();
        }
        for (Child child : new Child[] {client, server}) {
            Await.until("a region has gone", () -> child.ask("mappings") == regions - 1);
        }
        connect(client, server, port);
        converse(client, server);
        talkAboutEverything(client, server);
    }
}
