package jfs.transport.sci;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jfs.nativelib.Sisci;
import jfs.spi.FastPath;
import jfs.spi.StaleOfferException;
import jfs.spi.Transport;
import jfs.testing.Effort;
import jfs.testing.Natives;
import jfs.testing.Segments;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections between the same two processes share regions. A place is used again when both ends have left it (PLACE-1).
 * The two processes are two transports of this process.
 */
class RegionsTest {

    private static final int VERSION = 2;
    private static final int WINDOW = 64 << 10;
    private static final long PLENTY = 1 << 30;
    private static final int MANY = 100;

    private final SciTransport near = transport();
    private final SciTransport far = transport();
    private final List<FastPath> open = new ArrayList<>();
    private long nonces = 1000;
    private long mappings;

    private static SciTransport transport() {
        return new SciTransport(new SciTransport.Sizes(WINDOW, 64 << 10, 8192, 0), PLENTY);
    }

    /** An offer of {@link #near}'s that is under way. */
    private final class Offered {
        final long nonce = nonces++;
        final Transport.Offer offer;
        final ByteBuffer description = ByteBuffer.allocate(64);

        Offered() throws IOException {
            offer = near.offer(VERSION, nonce, "far");
            offer.describe(description);
            description.flip();
        }

        Transport.Joined joinedBy(SciTransport peer) throws IOException {
            return peer.join(VERSION, description.duplicate(), nonce);
        }

        /** Both ends. The first one is near. */
        FastPath[] connected() throws IOException {
            Transport.Joined joined = joinedBy(far);
            open.add(joined.path());
            FastPath completed = offer.complete(answerOf(joined));
            open.add(completed);
            return new FastPath[] {completed, joined.path()};
        }
    }

    private static ByteBuffer answerOf(Transport.Joined joined) {
        ByteBuffer answer = ByteBuffer.allocate(64);
        joined.answer(answer);
        return answer.flip();
    }

    @BeforeAll
    static void loadNatives() {
        Natives.load();
        assertTrue(Sisci.sharesMemory(), "the shim's segments are memory");
        assumeFalse(Pages.STRICT, "vm.overcommit_memory is 2, and so each connection has a region of its own");
    }

    @BeforeEach
    void countMappings() throws IOException {
        mappings = mappings();
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        open.forEach(RegionsTest::leave);
        assertEquals(mappings, mappings());
    }

    /** Connects. The join may report that the offer is stale; then the peer gets another offer. */
    private FastPath[] connectedSoon() throws IOException {
        for (;;) {
            Offered offered = new Offered();
            try {
                return offered.connected();
            } catch (StaleOfferException e) {
                offered.offer.abandon();
            }
        }
    }

    private static void leave(FastPath end) {
        end.retireReceiver();
        end.retireSender();
    }

    private static long mappings() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains("memfd:")).count();
        }
    }

    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }

    private static byte[] content(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void sends(FastPath from, FastPath to, byte[] bytes) throws IOException {
        byte[] got = new byte[bytes.length];
        int sent = 0;
        for (int n = 0; n < got.length;) {
            int more = from.send(bytes, sent, bytes.length - sent);
            sent += more;
            int received = to.receive(got, n, got.length - n);
            assertTrue(more > 0 || received > 0, "neither at " + sent + ", " + n);
            n += received;
        }
        assertArrayEquals(bytes, got);
    }

    private static void assertReceives(FastPath to, byte[] bytes) throws IOException {
        byte[] got = new byte[bytes.length];
        for (int n = 0; n < got.length;) {
            int more = to.receive(got, n, got.length - n);
            assertTrue(more > 0, "the end after " + n);
            n += more;
        }
        assertArrayEquals(bytes, got);
    }

    private static void assertIsNew(FastPath... ends) throws IOException {
        for (FastPath end : ends) {
            assertEquals(-1, end.switchedAt());
            assertFalse(end.peerReady());
            assertFalse(end.peerGone());
            assertEquals(0, end.available());
            assertEquals(0, end.receive(new byte[1], 0, 1));
        }
    }

    /** Makes as many connections as it takes until regions have many places. */
    private void acquaint() throws IOException {
        new Offered().connected();
        new Offered().connected();
    }

    @Test
    void manyConnectionsTakeFewMappingsAndDescriptors() throws IOException {
        int before = descriptors();
        List<FastPath[]> paths = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            paths.add(new Offered().connected());
        }
        int regions = 2 + (MANY - 5 + 15) / 16;
        assertEquals(mappings + 2 * regions, mappings(), "both ends are here");
        int others = 4; // descriptors of the library itself
        assertTrue(descriptors() <= before + 2 * (MANY + regions) + others, descriptors() + " descriptors");
        for (int i = 0; i < MANY; i++) {
            paths.get(i)[0].send(content(i, 5000), 0, 5000);
            paths.get(i)[1].send(content(-i, 5000), 0, 5000);
        }
        for (int i = 0; i < MANY; i++) {
            assertReceives(paths.get(i)[1], content(i, 5000));
            assertReceives(paths.get(i)[0], content(-i, 5000));
        }
    }

    /** The bytes that one end has sent before it left can be read at the other end, whatever is connected meanwhile. */
    @Test
    void aPlaceIsUsedAgainAfterBothHaveLeft() throws IOException {
        acquaint();
        long regions = mappings();
        for (int first = 0; first < 2; first++) {
            FastPath[] old = new Offered().connected();
            sends(old[0], old[1], content(1, 300_000));
            sends(old[1], old[0], content(2, 300_000));
            old[first].send(content(3, 40_000), 0, 40_000);
            old[first].finish(false);
            leave(old[first]);
            List<FastPath[]> others = List.of(new Offered().connected(), new Offered().connected());
            assertIsNew(others.get(0));
            assertReceives(old[1 - first], content(3, 40_000));
            assertEquals(FastPath.END, old[1 - first].receive(new byte[1], 0, 1));
            assertTrue(old[1 - first].peerGone());
            leave(old[1 - first]);
            FastPath[] again = new Offered().connected();
            assertEquals(regions, mappings(), "the place that was left");
            assertIsNew(again);
            sends(again[0], again[1], content(4, 300_000));
            sends(again[1], again[0], content(5, 300_000));
            leave(again[0]);
            leave(again[1]);
            for (FastPath[] other : others) {
                sends(other[1], other[0], content(6, 10_000));
                leave(other[1]);
                leave(other[0]);
            }
        }
    }

    @Test
    void anEndThatLeavesTellsOnlyItsPeer() throws IOException {
        acquaint();
        FastPath[] one = new Offered().connected();
        FastPath[] other = new Offered().connected();
        leave(one[1]);
        assertTrue(one[0].peerGone());
        assertFalse(other[0].peerGone());
        leave(other[0]);
        assertTrue(other[1].peerGone());
    }

    /** A process that has left its last place is in no region any more, so it gets no offer of a place there. */
    @Test
    void aRegionThatThePeerHasLeft() throws IOException {
        acquaint();
        FastPath[] two = {open.get(3), open.get(2)};
        Offered before = new Offered();
        leave(two[1]);
        assertThrows(StaleOfferException.class, () -> before.joinedBy(far));
        before.offer.abandon();
        FastPath[] next = connectedSoon(); // the library's thread may not have reported yet that the peer has left
        sends(next[0], next[1], content(1, 1000));
        sends(next[1], next[0], content(2, 1000));
    }

    @Test
    void anotherProcessHasTheNameNow() throws IOException {
        acquaint();
        SciTransport third = transport();
        Offered stale = new Offered();
        assertThrows(StaleOfferException.class, () -> stale.joinedBy(third));
        stale.offer.refused();
        stale.offer.abandon();
        Offered next = new Offered();
        Transport.Joined joined = next.joinedBy(third);
        open.add(joined.path());
        open.add(next.offer.complete(answerOf(joined)));
        sends(joined.path(), open.get(open.size() - 1), content(1, 1000));
    }

    @Test
    void anOfferThatHasEndedCantBeJoined() throws IOException {
        acquaint();
        Offered ended = new Offered();
        ended.offer.abandon();
        assertThrows(StaleOfferException.class, () -> ended.joinedBy(far));
        acquaint(); // makes new regions under the same name
        Offered next = new Offered();
        FastPath[] ends = next.connected();
        assertThrows(IOException.class, () -> next.joinedBy(far), "it is joined");
        assertThrows(IOException.class, () -> ended.joinedBy(far));
        sends(ends[0], ends[1], content(1, 1000));
    }

    @Test
    void anAnswerWithoutAJoinGivesNoPath() throws IOException {
        acquaint();
        Offered other = new Offered();
        Transport.Joined elsewhere = other.joinedBy(far);
        open.add(elsewhere.path());
        Offered offered = new Offered();
        assertThrows(IOException.class, () -> offered.offer.complete(answerOf(elsewhere)));
        other.offer.abandon();
        FastPath[] next = new Offered().connected();
        sends(next[0], next[1], content(1, 1000));
    }

    @Test
    void impossiblePlacesAreRefused() throws IOException {
        acquaint();
        Offered offered = new Offered();
        assertTrue(offered.description.remaining() == 36);
        for (int[] place : new int[][] {{1, 0}, {-4, 0}, {4, 4}, {4, -1}, {1 << 30, 0}, {5, 0}}) {
            ByteBuffer changed = ByteBuffer.allocate(64).put(offered.description.duplicate()).flip();
            changed.putInt(28, place[0]).putInt(32, place[1]);
            assertThrows(IOException.class, () -> far.join(VERSION, changed, offered.nonce), Arrays.toString(place));
        }
        offered.offer.abandon();
    }

    /** If the peer process is gone the region's places are not used again, and their memory is given back when they are left. */
    @Test
    void aRegionWhosePeerIsGone() throws IOException {
        acquaint();
        FastPath[][] ends = {new Offered().connected(), new Offered().connected()};
        for (FastPath[] each : ends) {
            sends(each[0], each[1], content(1, 300_000));
            sends(each[1], each[0], content(2, 300_000));
        }
        for (FastPath end : open) {
            if (end != ends[0][0] && end != ends[1][0]) {
                leave(end);
            }
        }
        long before = Segments.residentBytes();
        leave(ends[0][0]);
        assertTrue(Segments.residentBytes() <= before - WINDOW, "it has " + (before - Segments.residentBytes()) + " bytes less");
        assertTrue(ends[1][0].peerGone());
    }

    /** Two threads leave the two ends in any order, usually at the same time. Then the place is offered again. */
    @Test
    void bothEndsMayLeaveAtOnce() throws Exception {
        acquaint();
        int rounds = Effort.of(2_000, 200_000);
        long regions = mappings();
        CyclicBarrier together = new CyclicBarrier(2);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (int i = 0; i < rounds; i++) {
                FastPath[] ends = connectedSoon();
                open.removeAll(List.of(ends));
                assertIsNew(ends);
                sends(ends[0], ends[1], content(i, 100));
                sends(ends[1], ends[0], content(-i, 100));
                Future<?> left = other.submit(() -> {
                    together.await();
                    leave(ends[1]);
                    return null;
                });
                together.await();
                leave(ends[0]);
                if (i % 2 == 0) {
                    left.get();
                }
            }
        } finally {
            other.shutdown();
            assertTrue(other.awaitTermination(10, TimeUnit.SECONDS), "the last one has left");
        }
        assertEquals(regions, mappings());
    }
}
