package jfs.conformance.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Commands;
import jfs.testing.Await;
import jfs.testing.Effort;
import org.junit.jupiter.api.Test;

/**
 * Two processes hold as many connections as their limits of descriptors allow. A fast connection takes one descriptor, as
 * one on TCP does. Each region of up to sixteen connections takes two. Regions are made up to half of the limit. So where
 * the JDK can hold N sockets, JFS can hold two less for each region.
 */
class DescriptorLimitTest extends Shortages {

    private static final int LIMIT = Effort.of(400, 6_000);
    /** Other open descriptors of a process that is at its limit: the JVM's files, JFS's, those that the last attempt has left. */
    private static final int OTHERS = 40;
    /**
     * The most descriptors that a process still holds of an attempt which has failed: a control connection, and those of a region. The
     * peer process closes its end of the control connection only after the client has counted the failure.
     */
    private static final int OF_AN_ATTEMPT = 3;
    /** The most places of a region. */
    private static final int PLACES = 16;

    /** @param all how many connections there are, including the {@code fast} ones */
    private record Held(int fast, int all) {

        /** The number of regions. The first ones have fewer places than sixteen. */
        private int regions() {
            return fast / PLACES + 3;
        }

        /** The descriptors of the fast connections, TCP's included. A region has its SISCI connection and its bell. */
        int descriptors() {
            return fast + 2 * regions();
        }
    }

    @Test
    void connectionsFillTheLimitOfDescriptors() throws Exception {
        String[] limited = {"prlimit", "--nofile=" + LIMIT + ":" + LIMIT};
        Commands.assume("a limit of descriptors", limited[0], limited[1], "true");
        Child server = start(Child.jfs().under(limited));
        Child client = start(Child.jfs().under(limited));
        makeWhatIsMadeOnce(client, server);
        Held held = hold(client, server, true);
        long most = Math.max(descriptors(client), descriptors(server));
        assertTrue(held.descriptors() > LIMIT / 2 - OTHERS && held.descriptors() <= LIMIT / 2 + PLACES + 2,
                "half of the limit, until the last region is full: " + held);
        assertTrue(most <= held.all - held.fast + held.descriptors() + OTHERS, "one for a fast one: " + most + ", " + held);
        assertEquals(held.all - held.fast, counted(client, "NO_RESOURCES"));
        talkOnAll(client, server);
        closeAll(client, server);
        Await.until("the client has them back", () -> descriptors(client) < OTHERS && client.ask("mappings") == 0);
        Await.until("the server has them back", () -> descriptors(server) < OTHERS && server.ask("mappings") == 0);
        Held again = hold(client, server, true);
        assertEquals(held.fast, again.fast, "as many fast ones once more");
        assertTrue(Math.abs(held.all - again.all) <= OF_AN_ATTEMPT, "the same once more: " + again + ", before " + held);

        int jdks = hold(start(Child.plain().under(limited)), start(Child.plain().under(limited)), false).all;
        assertTrue(jdks - held.all <= held.descriptors() - held.fast + OTHERS, jdks + ", " + held);
    }

    /**
     * A process makes its watch, which has two descriptors, when a thread first sleeps at a word. Whether a thread sleeps while connections
     * are made depends on chance.
     */
    private static void makeWhatIsMadeOnce(Child client, Child server) throws Exception {
        connect(client, server);
        converse(client, server);
        isFast(client, server); // each end's reader sleeps once
        client.begin("close").isDone();
        server.begin("close").isDone();
        server.begin("closeListener").isDone();
        Await.until("no region is left", () -> client.ask("mappings") == 0 && server.ask("mappings") == 0);
    }

    /** Connects until one of the two processes has no descriptor left. */
    private static Held hold(Child client, Child server, boolean jfs) throws Exception {
        long port = server.ask("listen 127.0.0.1 0");
        long fastBefore = jfs ? client.ask("attached") : 0;
        long before = jfs ? decided(client) : 0;
        for (int all = 0;; all++) {
            Child.Order accept = server.begin("accept");
            String connected = client.tell("connect 127.0.0.1 " + port);
            if (!connected.equals("done")) {
                assertTrue(connected.contains("Too many open files"), connected);
                return new Held(jfs ? (int) (client.ask("attached") - fastBefore) : 0, all);
            }
            String accepted = accept.result();
            if (!accepted.equals("done")) {
                assertTrue(accepted.contains("Too many open files"), accepted);
                client.begin("close").isDone();
                return new Held(jfs ? (int) (client.ask("attached") - fastBefore) : 0, all);
            }
            Child.Order follow = server.begin("follow");
            client.ask("lead 2");
            follow.isDone();
            if (jfs) {
                long now = before + all + 1;
                Await.until("it is fast or it is not", () -> decided(client) == now);
            }
            client.begin("keep").isDone();
            server.begin("keep").isDone();
        }
    }

    /** The number of connections that have a fast path, and of those that have this reason for having none. */
    private static long decided(Child child) {
        return child.ask("attached") + counted(child, "NO_RESOURCES");
    }

    private static long counted(Child child, String reason) {
        Matcher count = Pattern.compile(reason + "=([0-9]+)").matcher(child.fallbacks());
        return count.find() ? Long.parseLong(count.group(1)) : 0;
    }

    private static void talkOnAll(Child client, Child server) {
        Child.Order answers = server.begin("answerKept");
        client.begin("askKept 3").isDone();
        answers.isDone();
    }

    private static void closeAll(Child client, Child server) {
        for (Child each : new Child[] {client, server}) {
            each.begin("closeListener");
            each.begin("closeKept").isDone();
        }
    }

    /** The test's process counts them, because a process at its limit can't. */
    private static long descriptors(Child child) {
        return new File("/proc/" + child.pid() + "/fd").list().length;
    }
}
