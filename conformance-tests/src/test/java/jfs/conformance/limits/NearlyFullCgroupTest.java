package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertTrue;

import jfs.conformance.harness.processes.Child;
import jfs.testing.Await;
import jfs.testing.OnOldestJdk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A memory cgroup is nearly full. A process in it gets no further fast path. So the kernel kills no process that lives with the JDK's
 * sockets.
 */
@OnOldestJdk
class NearlyFullCgroupTest extends Shortages {

    private static final int MEGABYTE = 1 << 20;
    /** Too little for a fast path: a window of 1 MB, 4 MB of unread bytes, and 8 MB for the program. */
    private static final int ROOM = 12 * MEGABYTE;
    private static final int CONNECTIONS = 10;
    private static final long PLENTY = 1L << 40;

    private MemoryCgroup group;

    @AfterEach
    void removeGroup() throws Exception {
        if (group != null) {
            endAll();
            group.close();
        }
    }

    /** The heap has all its pages from the beginning, so that it takes none later. */
    private static Child.Start small(Child.Start start) {
        return start.with("-Xms32m").with("-Xmx32m").with("-XX:+AlwaysPreTouch");
    }

    /** What the peers do at the first connection only takes its pages before the group is nearly full. */
    private void fill(Child shortOne, Child client, Child server, long port) throws Exception {
        group.limit(PLENTY);
        group.take(shortOne);
        meet(client, server, port);
        group.leave(ROOM);
    }

    /** Makes connections until one stays on TCP, because JFS looks at the group only now and then. Those before it were fast. */
    private static void awaitDeclined(Child client, Child server, long port, Child shortOne) throws Exception {
        Await.until("a connection is declined", () -> {
            meet(client, server, port);
            return shortOne.log().contains("NO_RESOURCES");
        });
    }

    private static void connectAndKeep(Child client, Child server, long port) {
        connect(client, server, port);
        Child.Order follow = server.begin("follow");
        client.ask("lead 20");
        follow.isDone();
        client.begin("keep").isDone();
        server.begin("keep").isDone();
    }

    /**
     * As many unread bytes as would not fit into the group if they were in shared memory. Where bytes in TCP's sockets count too, they
     * are as many as surely fit, with the kernel's overhead: else a write would wait for memory.
     */
    private void unreadBytes(Child writer, Child reader, Child client, Child server, long port) {
        int bytes = group.countsSockets() ? ROOM / CONNECTIONS / 4 : 3_000_000;
        for (int i = 0; i < CONNECTIONS; i++) {
            connectAndKeep(client, server, port);
            writer.begin("takeKept").isDone();
            writer.begin("write 1 " + bytes).isDone();
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            reader.begin("takeKept").isDone();
            reader.begin("read 1 " + bytes).isDone();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFastPathIsDeclined(End end) throws Exception {
        group = MemoryCgroup.make();
        Child server = start(small(logging()));
        Child client = start(small(logging()));
        Child shortOne = end == End.CLIENT ? client : server;
        long port = server.ask("listen 127.0.0.1 0");
        fill(shortOne, client, server, port);
        awaitDeclined(client, server, port, shortOne);
        assertTrue(shortOne.log().matches("(?s).* NO_RESOURCES: the control group has [0-9]+ MB left of its memory limit of [0-9]+ MB,"
                + " and a fast path needs 14 MB \\(" + group + "\\).*"), shortOne.log());
        unreadBytes(shortOne, end == End.CLIENT ? server : client, client, server, port);

        long before = client.ask("attached");
        group.limit(PLENTY);
        Await.until("a connection is fast again", () -> {
            meet(client, server, port);
            return client.ask("attached") > before;
        });
    }

    /** The oracle: a plain program with as many unread bytes lives in that group. */
    @ParameterizedTest
    @EnumSource
    void theJdksSocketsLiveInThatGroup(End end) throws Exception {
        group = MemoryCgroup.make();
        Child server = start(small(Child.plain()));
        Child client = start(small(Child.plain()));
        Child shortOne = end == End.CLIENT ? client : server;
        long port = server.ask("listen 127.0.0.1 0");
        fill(shortOne, client, server, port);
        unreadBytes(shortOne, end == End.CLIENT ? server : client, client, server, port);
    }
}
