package jfs.conformance.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jfs.conformance.harness.processes.Child;
import jfs.conformance.harness.processes.Children;
import jfs.conformance.harness.processes.Commands;
import jfs.conformance.harness.processes.Whose;
import jfs.testing.Await;
import jfs.testing.Effort;
import jfs.testing.VirtualThreads;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Thousands of connections between two processes, with a virtual thread at each end and two carriers in each process. No
 * thread is pinned inside JFS, and none starves: all come to their ends beside a few that never pause and don't end before
 * the others.
 *
 * <p>A few connections do the same before pinning is recorded: the first thread that needs a class loads it, and the JVM
 * pins that thread.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class VirtualThreadsTest extends Children {

    private static final int FEW = 64;
    private static final int ROUNDS = 20;
    /** How many of the blocked writers write to a fast path, which takes megabytes before it blocks. */
    private static final int TALKATIVE = 24;

    private static int many;
    private static String[] limited;

    /** There are descriptors for all connections over TCP, but only for some of the fast paths (LIMIT-1). */
    @BeforeAll
    static void thisJdkHasThem() throws Exception {
        VirtualThreads.assume();
        int most = mostDescriptors();
        many = Math.min(Effort.of(2_000, 10_000), most / 2);
        int limit = Math.min(most, 3 * many);
        limited = new String[] {"prlimit", "--nofile=" + limit + ":" + limit};
        Commands.assume("a limit of descriptors", limited[0], limited[1], "true");
    }

    private static int mostDescriptors() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(each -> each.startsWith("Max open files")).findAny().orElseThrow();
        return (int) Math.min(1 << 20, Long.parseLong(line.split(" {2,}")[2]));
    }

    private Child client;
    private Child server;

    private void startBoth(Whose whose) throws Exception {
        whose.assume();
        server = start(limited(whose.start()));
        client = start(limited(whose.start()));
    }

    private static Child.Start limited(Child.Start start) {
        return start.with("-Djdk.virtualThreadScheduler.parallelism=2").with("-Xmx1g")
                .with("-Djdk.virtualThreadScheduler.maxPoolSize=2").under(limited);
    }

    @ParameterizedTest
    @EnumSource
    void conversations(Whose whose) throws Exception {
        startBoth(whose);
        long port = server.ask("virtual listen false");
        isDone(client, "virtual connect " + port + " " + FEW + " false");
        if (whose.switches()) {
            assertEquals(FEW, fast(FEW), "fast ones of a few");
        }
        talk(FEW);
        isDone(server, "virtual watchPinning");
        isDone(client, "virtual watchPinning");

        isDone(client, "virtual connect " + port + " " + many + " false");
        if (whose.switches()) { // all, or as many as descriptors and the server's time for offers allow
            long fast = fast(FEW + many);
            String reasons = client.fallbacks();
            assertTrue(fast > FEW && reasons.matches("\\{(PEER_BUSY=[0-9]+)?\\}|\\{(PEER_BUSY=[0-9]+, )?NO_RESOURCES=[0-9]+\\}"),
                    fast + reasons);
        }
        talk(many);

        isDone(server, "virtual pinned");
        isDone(client, "virtual pinned");
    }

    private void talk(int connections) {
        String rounds = tell(client, "virtual talk " + ROUNDS + " false");
        assertTrue(rounds.matches("[0-9]+ rounds in [0-9]+ ms"), rounds);
        assertEquals("{end=" + connections + "}", tell(server, "virtual served"));
    }

    /** How many connections got a fast path, when that is decided for all connections so far. */
    private long fast(int all) throws Exception {
        String[] decided = {null};
        Await.until(() -> "all are decided, but " + decided[0], () -> {
            decided[0] = client.tell("virtual decided");
            return decided[0].startsWith(all + " ");
        });
        return Long.parseLong(decided[0].split(" ")[1]);
    }

    @ParameterizedTest
    @EnumSource
    void blockedOnes(Whose whose) throws Exception {
        startBoth(whose);
        long port = server.ask("virtual listen true");
        block(port, FEW);
        isDone(server, "virtual watchPinning");
        isDone(client, "virtual watchPinning");

        block(port, many);

        isDone(server, "virtual pinned");
        isDone(client, "virtual pinned");
    }

    /**
     * All read, and are answered. Then all write, and the server reads what a part of them has written. The others read and
     * never get an answer.
     */
    private void block(long port, int connections) {
        isDone(client, "virtual connect " + port + " " + connections + " true");
        isDone(client, "virtual read");
        isDone(server, "virtual open " + connections);
        assertEquals("{answer=" + connections + "}", tell(client, "virtual ended"));

        isDone(client, "virtual write " + TALKATIVE);
        isDone(client, "virtual interrupt 3 0");
        isDone(client, "virtual close 3 1");
        isDone(server, "virtual open " + connections);
        int left = part(connections, 2);
        assertEquals("{Closed by interrupt=" + part(connections, 0) + ", Socket closed=" + part(connections, 1)
                + ", answer=" + left + "}", tell(client, "virtual ended"));

        isDone(client, "virtual read");
        isDone(client, "virtual interrupt 3 0");
        isDone(client, "virtual close 3 1");
        isDone(client, "virtual shutdown 3 2");
        assertEquals("{Closed by interrupt=" + part(left, 0) + ", Socket closed=" + part(left, 1) + ", end="
                + part(left, 2) + "}", tell(client, "virtual ended"));
        isDone(server, "virtual open " + left);
        isDone(client, "virtual hangUp");
        tell(server, "virtual served");
    }

    /** How many of the numbers 0, 1, ... leave that remainder when divided by 3. */
    private static int part(int of, int remainder) {
        return (of + 2 - remainder) / 3;
    }

    private static void isDone(Child child, String order) {
        assertEquals("done", tell(child, order), order);
    }

    private static String tell(Child child, String order) {
        return child.begin(order).resultWithin(Await.LIMIT.toNanos() * Effort.of(3, 12)); // an order may act on thousands of connections
    }
}
