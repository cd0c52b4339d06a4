package jfs.conformance.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Messages;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Subject;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Segments;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections give back all that they have held of the system. */
class ResourcesTest {

    private static final int CONNECTIONS = 200;

    /** Descriptors, shared mappings and threads of this process, and channels and buffers of its connections over MX. */
    private record Held(int descriptors, long mappings, int threads, int channels, int buffers) {

        static Held now() throws IOException {
            return new Held(new File("/proc/self/fd").list().length, Segments.mappings(),
                    new File("/proc/self/task").list().length, Messages.channels(), Messages.buffers());
        }

        /** The JVM starts and ends threads of its own, so a few more threads are allowed. The connections' would be hundreds. */
        boolean noMoreThan(Held before) {
            return descriptors <= before.descriptors && mappings <= before.mappings
                    && channels <= before.channels && buffers <= before.buffers
                    && threads < before.threads + CONNECTIONS / 10;
        }
    }

    /** Makes all that is made only once, and waits until nothing of other tests is left. Only then a test counts. */
    @BeforeEach
    void settle() throws Exception {
        try (Pair pair = Pair.fresh()) {
            pair.converse();
        }
        Held[] last = {null};
        int[] same = {0};
        Await.until("nothing changes any more", () -> {
            System.gc();
            Held now = Held.now();
            same[0] = now.equals(last[0]) ? same[0] + 1 : 0;
            last[0] = now;
            return same[0] == 3;
        });
    }

    private static void returnsTo(Held before, Predicate<Held> alsoBy) throws Exception {
        Held[] now = {null};
        Await.until(() -> before + " again, but " + now[0], () -> {
            now[0] = Held.now();
            return alsoBy.test(now[0]) && now[0].noMoreThan(before);
        });
    }

    @Test
    void closedConnections() throws Exception {
        Held before = Held.now();
        List<Pair> pairs = new ArrayList<>();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Pair pair = Pair.via(listener);
                pairs.add(pair);
                pair.converse();
            }
            Held meanwhile = Held.now();
            Subject subject = Subject.current();
            int each = subject == Subject.MX ? 2 : 1; // TCP's, and a bell if the ends do not share their region's bell
            assertTrue(meanwhile.descriptors >= before.descriptors + 2 * CONNECTIONS * each, "the count counts");
            assertTrue(meanwhile.mappings >= before.mappings + (subject.sharesMemory() ? 2 * CONNECTIONS / 16 : 0),
                    "the count counts");
            assertTrue(meanwhile.channels >= before.channels + (subject == Subject.MX ? 2 * CONNECTIONS : 0),
                    "the count counts");
        } finally {
            for (Pair pair : pairs) {
                pair.close();
            }
        }
        returnsTo(before, held -> true);
    }

    @Test
    void connectionsOneAfterTheOther() throws Exception {
        Held before = Held.now();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                try (Pair pair = Pair.via(listener)) {
                    if (i % 2 == 0) {
                        pair.converseBesideOthers(); // the negotiation of the connection before may still count
                    } else {
                        pair.pingPong(); // closed at any moment of the negotiation
                        pair.client.getOutputStream().write(1);
                    }
                }
            }
        }
        returnsTo(before, held -> true);
    }

    @Test
    void listenersOneAfterTheOther() throws Exception {
        Held before = Held.now();
        for (int i = 0; i < CONNECTIONS; i++) {
            Pair.listener().close();
        }
        returnsTo(before, held -> true);
    }

    @Test
    void abandonedConnections() throws Exception {
        Held before = Held.now();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < 20; i++) {
                Pair pair = Pair.via(listener);
                pair.converse();
            }
        }
        returnsTo(before, held -> {
            System.gc();
            return true;
        });
    }

    /** Their servers' ends could still get an offer. */
    @Test
    void abandonedConnectionsThatNobodyTalkedOn() throws Exception {
        Held before = Held.now();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < 20; i++) {
                Pair.via(listener);
            }
        }
        returnsTo(before, held -> {
            System.gc();
            return true;
        });
    }

    /** One end is closed, and the other one forgotten. */
    @Test
    void halfAbandonedConnections() throws Exception {
        Held before = Held.now();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < 20; i++) {
                Pair pair = Pair.via(listener);
                pair.converse();
                (i % 2 == 0 ? pair.client : pair.server).close();
            }
        }
        returnsTo(before, held -> {
            System.gc();
            return true;
        });
    }

    @Test
    void abandonedListeners() throws Exception {
        Held before = Held.now();
        for (int i = 0; i < 20; i++) {
            Pair.listener();
        }
        returnsTo(before, held -> {
            System.gc();
            return true;
        });
    }

    /** Each connection ends with a reset, so that its port is free at once. */
    @Test
    void aThousandThatNobodyTalksOn() throws Exception {
        Held before = Held.now();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < 1_000; i++) {
                try (Pair pair = Pair.via(listener)) {
                    pair.client.setSoLinger(true, 0);
                }
            }
        }
        returnsTo(before, held -> true);
    }

    /** Sockets are closed while threads wait on them. The threads end, and what they waited with is given back. */
    @Test
    void closedUnderThoseWhoWait() throws Exception {
        Held before = Held.now();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < 20; i++) {
                try (Pair pair = Pair.via(listener)) {
                    Background<Integer> reader = Background.call(() -> pair.client.getInputStream().read()).blocked();
                    Background<Void> writer = Background.run(
                            () -> pair.client.getOutputStream().write(new byte[16 << 20])).blocked();
                    pair.client.close();
                    assertThrows(SocketException.class, reader::result);
                    assertThrows(SocketException.class, writer::result);
                }
            }
        }
        returnsTo(before, held -> true);
    }

    /** A server with a thread for each connection has most of them blocked. So what one wait takes is taken that many times. */
    @Test
    void blockedReadersHoldNoMoreThanTheirConnections() throws Exception {
        List<Pair> pairs = new ArrayList<>();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                pairs.add(Pair.via(listener).converse());
            }
            int before = Held.now().descriptors;
            List<Background<Integer>> readers = new ArrayList<>();
            for (Pair pair : pairs) {
                readers.add(Background.call(() -> pair.server.getInputStream().read()));
            }
            for (Background<Integer> reader : readers) {
                reader.blocked();
                reader.thread().interrupt(); // has no effect
            }
            int more = Held.now().descriptors - before;
            assertTrue(more < CONNECTIONS / 4, more + " more descriptors");
            for (int i = 0; i < CONNECTIONS; i++) {
                pairs.get(i).client.getOutputStream().write(i);
                assertEquals(i, readers.get(i).result());
            }
        } finally {
            for (Pair pair : pairs) {
                pair.close();
            }
        }
    }

    /**
     * A child of the JVM inherits no descriptor. Nor does a child that native code starts and that closes nothing itself:
     * the kernel closes the descriptors then.
     */
    @Test
    void childProcessesInheritNothing() throws Exception {
        List<String> before = inheritable();
        try (Pair pair = Pair.fresh()) {
            pair.converse();
            List<String> more = inheritable();
            more.removeAll(before);
            assertTrue(more.size() <= 3, more.toString()); // TCP's, which the JDK makes: the listener and the two ends
            Process child = new ProcessBuilder("cat").start();
            try {
                Path proc = Path.of("/proc/" + child.pid());
                Await.until("it is another program", () -> Files.readSymbolicLink(proc.resolve("exe")).endsWith("cat"));
                for (File descriptor : proc.resolve("fd").toFile().listFiles()) {
                    String file = Files.readSymbolicLink(descriptor.toPath()).toString();
                    assertFalse(file.startsWith("socket:") || file.contains("memfd:"), file);
                }
                assertFalse(Files.readString(proc.resolve("maps")).contains("memfd:"));
            } finally {
                child.destroy();
                child.waitFor();
            }
        }
    }

    /** The descriptors that stay open in an exec. */
    private static List<String> inheritable() throws IOException {
        List<String> all = new ArrayList<>();
        for (String descriptor : new File("/proc/self/fd").list()) {
            List<String> info;
            try {
                info = Files.readAllLines(Path.of("/proc/self/fdinfo", descriptor));
            } catch (NoSuchFileException e) { // another thread has closed it meanwhile
                continue;
            }
            assertTrue(info.get(1).startsWith("flags:"), info.get(1));
            if ((Integer.parseInt(info.get(1).substring(6).strip(), 8) & 02000000) == 0) { // O_CLOEXEC
                all.add(descriptor);
            }
        }
        return all;
    }

    /** A thread keeps the memory that its last transfer used. */
    @Test
    void hugeTransfersTakeNoHugeMemory() throws Exception {
        int length = 16 << 20;
        BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct")).findFirst().orElseThrow();
        long before = direct.getMemoryUsed();
        try (Pair pair = Pair.fresh()) {
            Background<Long> writer = Background.call(() -> {
                pair.client.getOutputStream().write(Bytes.of(1, 0, length));
                return direct.getMemoryUsed();
            });
            byte[] all = new byte[length];
            for (int at = 0; at < length;) {
                at += pair.server.getInputStream().read(all, at, length - at);
            }
            Bytes.check(1, 0, all, length);
            long held = Math.max(writer.result(), direct.getMemoryUsed()) - before;
            assertTrue(held < 1 << 20, held + " bytes");
        }
    }
}
