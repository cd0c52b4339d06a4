package jfs.conformance.resources;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Resident;
import jfs.conformance.harness.Subject;
import jfs.nativelib.Sisci;
import jfs.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that are used all the time, but little: they keep as little memory as they use. */
class LightLoadTest {

    private static final int CONNECTIONS = 10;
    /** What a connection may keep at both its ends, bytes. */
    private static final int REQUESTS_MAX = 200 << 10;
    private static final int HEARTBEATS_MAX = 32 << 10;

    private final List<Pair> pairs = new ArrayList<>();

    @BeforeEach
    void connect() throws Exception {
        assumeTrue(Subject.current().sharesMemory() && Sisci.sharesMemory(),
                "no connection of this subject has shared memory that JFS could give back");
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Pair pair = Pair.via(listener);
                pairs.add(pair);
                pair.converse();
            }
        }
    }

    @AfterEach
    void close() throws Exception {
        for (Pair pair : pairs) {
            pair.close();
        }
    }

    /** Each connection moves more bytes than its two rings hold. The requests are so frequent that it is never idle. */
    @Test
    void requestsOf16KilobytesNowAndThen() throws Exception {
        byte[] request = new byte[16 << 10];
        new Random(1).nextBytes(request);
        for (int round = 0; round < 100; round++) {
            pause(20);
            exchange(request);
        }
        isResident(REQUESTS_MAX, Resident.bytes());
    }

    /** Heartbeats after a busy time: between them the memory that the busy time needed is given back. */
    @Test
    void heartbeatsAfterABusyTime() throws Exception {
        byte[] heartbeat = new byte[64];
        for (int round = 0; round < 40_000; round++) {
            pairs.get(0).client.getOutputStream().write(heartbeat);
            assertArrayEquals(heartbeat, pairs.get(0).server.getInputStream().readNBytes(heartbeat.length));
        }
        assertTrue(Resident.bytes() > CONNECTIONS * 2L * HEARTBEATS_MAX, "the count counts");
        Await.until("no more than 32 KB each", () -> {
            pause(100);
            exchange(heartbeat);
            return Resident.bytes() <= CONNECTIONS * 2L * HEARTBEATS_MAX;
        });
    }

    /** Bytes that are not read for a while stay complete, although pages of the ring are given back meanwhile. */
    @Test
    void unreadBytesStay() throws Exception {
        Random random = new Random(2);
        for (int round = 0; round < 20; round++) {
            byte[] unread = new byte[1 + random.nextInt(300_000)];
            random.nextBytes(unread);
            for (Pair pair : pairs) {
                for (int at = 0; at < unread.length; at += 20_000) {
                    pair.client.getOutputStream().write(unread, at, Math.min(20_000, unread.length - at));
                }
            }
            pause(20);
            for (Pair pair : pairs) {
                assertArrayEquals(unread, pair.server.getInputStream().readNBytes(unread.length));
            }
        }
    }

    /** The pause between two requests of the program. These tests depend on its length. */
    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void exchange(byte[] request) throws Exception {
        for (Pair pair : pairs) {
            pair.client.getOutputStream().write(request);
            assertTrue(Arrays.equals(request, pair.server.getInputStream().readNBytes(request.length)));
            pair.server.getOutputStream().write(request);
            assertTrue(Arrays.equals(request, pair.client.getInputStream().readNBytes(request.length)));
        }
    }

    /** Both ends of each connection are in this process, so its memory is counted twice. */
    private static void isResident(int most, long bytes) {
        assertTrue(bytes <= CONNECTIONS * 2L * most,
                () -> bytes / CONNECTIONS / 2 + " bytes resident for each connection, of at most " + most);
    }
}
