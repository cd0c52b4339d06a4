package jfs.conformance.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Subject;
import jfs.connection.Connection;
import jfs.connection.IdleWatch;
import jfs.nativelib.Sisci;
import jfs.testing.Background;
import jfs.testing.Effort;
import jfs.testing.VirtualThreads;
import org.junit.jupiter.api.Test;

/**
 * Connections that end while threads use them in every way, so that memory which is unmapped too early is touched. The
 * natives of the subject sci leave unmapped memory reserved without access for good. There such a touch ends the JVM, and
 * so the build.
 */
class UnmappingTest {

    /**
     * How many connections. Without the guard there is little to see, so they are a tenth. With it some ten show it if one half is freed
     * before the other one has been retired. Some ten thousand show it if the threads inside are not counted. Platform and virtual threads
     * share the rounds of {@code --all}.
     */
    private static final int ROUNDS = rounds(100, VirtualThreads.factory() == null ? 50_000 : 25_000);
    /** With the guard the memory is used at least this often without a failure. */
    private static final long USES_MIN = isGuarded() ? Effort.of(0, 1_000_000) : 0;
    private static final int ABANDONED = rounds(20, 400);
    /** The close comes at a random moment of the first so many nanoseconds. */
    private static final int LONGEST_LIFE = 300_000;
    private static final int LONGEST_TALK = 10_000;
    /** More bytes than the window takes, so that a writer also spills and waits. */
    private static final int LARGEST = 3 << 20;

    private final long seed = Long.getLong("test.seed", System.nanoTime());
    private final LongAdder uses = new LongAdder();

    /** What one thread does with a socket until that fails. The close makes it fail. */
    private interface Use {
        void once(Socket socket, Random random) throws Exception;
    }

    private static final List<Use> USES = List.of(
            (socket, random) -> {
                if (socket.getInputStream().read(new byte[1 + random.nextInt(100_000)]) < 0) {
                    throw new IOException("the end");
                }
            },
            (socket, random) -> socket.getOutputStream().write(new byte[size(random)]),
            (socket, random) -> socket.getInputStream().available(),
            (socket, random) -> trim(socket),
            (socket, random) -> {
                switch (random.nextInt(2_000)) {
                    case 0 -> socket.shutdownOutput();
                    case 1 -> socket.shutdownInput();
                    case 2 -> socket.sendUrgentData(1);
                    default -> socket.setOOBInline(random.nextBoolean());
                }
            });

    private static boolean isGuarded() {
        return Subject.current() == Subject.SCI;
    }

    /** The two numbers with the guard, a tenth of each without it. */
    private static int rounds(int usually, int withAll) {
        int part = isGuarded() ? 1 : 10;
        return Effort.rounds(usually / part, withAll / part);
    }

    private static int size(Random random) {
        return random.nextInt(50) == 0 ? LARGEST : 1 + random.nextInt(random.nextBoolean() ? 100 : 100_000);
    }

    /** As {@link IdleWatch} does after a while. */
    private static void trim(Socket socket) throws Exception {
        Method getImpl = Socket.class.getDeclaredMethod("getImpl");
        getImpl.setAccessible(true);
        SocketImpl impl = (SocketImpl) getImpl.invoke(socket);
        if (Subject.current() != Subject.JDK) {
            Field connection = impl.getClass().getDeclaredField("connection");
            connection.setAccessible(true);
            IdleWatch.Watched writer = ((Connection) connection.get(impl)).writer();
            if (writer.uses() > 0) { // else IdleWatch would not watch it
                writer.trim(true);
            }
        }
        if (socket.isClosed()) {
            throw new IOException("closed");
        }
    }

    @Test
    void closedUnderEverythingAtOnce() throws Exception {
        closedUnderEverythingAtOnce("platform threads", Background::run, Thread::yield);
    }

    @Test
    void closedUnderVirtualThreads() throws Exception {
        VirtualThreads.assume();
        // Virtual threads must not yield here. While two yielding threads share a carrier it takes nothing from the queue
        // of the threads that were given a lock, and a closing thread waits for that lock forever.
        closedUnderEverythingAtOnce("virtual threads", VirtualThreads::run, () -> LockSupport.parkNanos(1));
    }

    private static void assumeMapped() {
        assumeTrue(Subject.current().switches(), "connections of this subject stay on TCP, and map no memory");
    }

    private interface Threads {
        Background<Void> run(Background.Action work);
    }

    /** @param makeWay what the users do after each use */
    private void closedUnderEverythingAtOnce(String who, Threads threads, Runnable makeWay) throws Exception {
        assumeMapped();
        Random random = new Random(seed);
        try (ServerSocket listener = Pair.listener()) {
            int switched = 0;
            int i = 0;
            for (; i < ROUNDS || uses.sum() < USES_MIN; i++) {
                try {
                    switched += round(listener, random, threads, makeWay) ? 1 : 0;
                } catch (Exception | AssertionError e) {
                    throw new AssertionError("round " + i + " of -Dtest.seed=" + seed, e);
                }
            }
            assertTrue(switched > i / 2, switched + " of " + i + " had switched");
            System.out.printf("%,d uses of %,d connections, %,d of them fast, by %s%n", uses.sum(), i, switched, who);
        }
    }

    /** Returns whether the connection has switched. A connection on a busy machine may stay on TCP. */
    private static boolean talk(Pair pair, int turns) throws IOException {
        for (int i = 0; i < turns && !pair.hasSwitched(); i++) {
            pair.pingPong();
        }
        return pair.hasSwitched();
    }

    /** @return whether the connection had switched when the threads began to use it */
    private boolean round(ServerSocket listener, Random random, Threads threads, Runnable makeWay)
            throws Exception {
        Pair pair = Pair.via(listener);
        // Some connections are closed while they negotiate.
        boolean switched = talk(pair, random.nextInt(5) == 0 ? random.nextInt(20) : LONGEST_TALK);
        List<Background<Void>> users = new ArrayList<>();
        for (Socket socket : List.of(pair.client, pair.server)) {
            for (Use use : USES) {
                long own = random.nextLong();
                users.add(threads.run(() -> untilItFails(use, socket, new Random(own), makeWay)));
            }
        }
        List<Socket> closing = random.nextBoolean() ? List.of(pair.client, pair.server)
                : List.of(pair.server, pair.client);
        LockSupport.parkNanos(random.nextInt(LONGEST_LIFE));
        CyclicBarrier together = new CyclicBarrier(2); // two threads close one end, then the other end is closed
        Background<Void> alsoCloses = Background.run(() -> {
            together.await();
            closing.get(0).close();
        });
        together.await();
        closing.get(0).close();
        LockSupport.parkNanos(random.nextInt(LONGEST_LIFE));
        closing.get(1).close();
        alsoCloses.result();
        for (Background<Void> user : users) {
            user.result();
        }
        return switched;
    }

    private void untilItFails(Use use, Socket socket, Random random, Runnable makeWay) throws Exception {
        for (;;) {
            try {
                use.once(socket, random);
                uses.increment();
            } catch (IOException e) {
                return;
            }
            makeWay.run();
        }
    }

    /** The collector runs all the time. The last use of a socket is under way when nothing refers to the socket any more. */
    @Test
    void abandonedInTheirLastUse() throws Exception {
        assumeMapped();
        Semaphore collect = new Semaphore(0, true);
        AtomicBoolean ended = new AtomicBoolean();
        Background<Void> collecting = Background.run(() -> {
            while (!ended.get()) {
                collect.acquire();
                System.gc();
                collect.release();
            }
        });
        Random random = new Random(seed);
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < ABANDONED; i++) {
                Pair pair = Pair.via(listener);
                talk(pair, LONGEST_TALK);
                collect.release();
                Socket client = pair.client;
                Socket server = pair.server;
                pair = null;
                int last = random.nextInt(5);
                Background<Void> user = Background.run(() -> lastUse(client, last));
                lastUse(server, random.nextInt(5));
                user.result();
                collect.acquire(); // while the collector runs a talk would take very long
            }
        } catch (Exception | AssertionError e) {
            throw new AssertionError("-Dtest.seed=" + seed, e);
        } finally {
            ended.set(true);
            collect.release();
            collecting.result();
        }
    }

    private static void lastUse(Socket socket, int which) throws Exception {
        switch (which) {
            case 0 -> socket.shutdownInput();
            case 1 -> socket.shutdownOutput();
            case 2 -> socket.setOOBInline(true);
            case 3 -> {
                try {
                    socket.getOutputStream().write(new byte[50_000]);
                } catch (IOException e) {
                    // The other end has been collected already.
                }
            }
            default -> socket.getInputStream().available();
        }
    }

    /** The other tests of this class need the guard. This test checks that it is there. */
    @Test
    void unmappedMemoryHasNoAccess() throws Exception {
        assumeTrue(isGuarded(), "only the natives of the subject sci are guarded against access to unmapped memory");
        Pair.fresh().close();
        long[] out = new long[1];
        List<String> before = segments();
        assertEquals(Sisci.OK, Sisci.createSegment(0x77, 1 << 20, 0, out));
        long segment = out[0];
        Sisci.mapLocal(segment, 1 << 20, out);
        List<String> mapped = segments();
        mapped.removeAll(before);
        assertEquals(1, mapped.size(), mapped.toString());
        assertEquals(Sisci.OK, Sisci.unmap(out[0]));
        assertEquals(Sisci.OK, Sisci.removeSegment(segment));
        long address = start(mapped.get(0));
        String now = maps().stream().filter(line -> start(line) <= address && address < end(line)).findFirst()
                .orElse("nothing");
        assertTrue(now.contains(" ---p "), now);
    }

    private static List<String> segments() throws IOException {
        return new ArrayList<>(maps().stream().filter(line -> line.contains("memfd:")).toList());
    }

    private static List<String> maps() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps"));
    }

    private static long start(String line) {
        return Long.parseUnsignedLong(line.substring(0, line.indexOf('-')), 16);
    }

    private static long end(String line) {
        return Long.parseUnsignedLong(line.substring(line.indexOf('-') + 1, line.indexOf(' ')), 16);
    }
}
