package jfs.conformance.resources;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Resident;
import jfs.conformance.harness.Subject;
import jfs.nativelib.Sisci;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Test;

/** Connections that the program does not use for a while. */
class IdleTest {

    private static final int CONNECTIONS = 10;
    private static final int RESIDENT_MAX = 32 << 10;

    @Test
    void keepLittleMemoryAndGoOn() throws Exception {
        Subject subject = Subject.current();
        assumeTrue(!subject.sharesMemory() || Sisci.sharesMemory(),
                "the memory of a SISCI library that is not the shim belongs to its driver, so JFS gives none back");
        byte[] block = new byte[1 << 20];
        new Random(7).nextBytes(block);
        List<Pair> pairs = new ArrayList<>();
        try (ServerSocket listener = Pair.listener()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Pair pair = Pair.via(listener);
                pairs.add(pair);
                pair.converse();
                move(block, pair.client, pair.server);
                move(block, pair.server, pair.client);
            }
            if (subject.sharesMemory()) {
                assertTrue(Resident.bytes() > CONNECTIONS * 2L * block.length, "the count counts");
            } else if (subject.switches()) { // messages stay in memory until they are read
                pairs.get(0).client.getOutputStream().write(block);
                Await.until("the count counts", () -> Resident.bytes() >= block.length);
                assertArrayEquals(block, pairs.get(0).server.getInputStream().readNBytes(block.length));
            }
            // Both ends of each connection are in this process, so its memory is counted twice.
            Await.until("no more than 32 KB each", () -> Resident.bytes() <= CONNECTIONS * 2L * RESIDENT_MAX);
            for (Pair pair : pairs) {
                move(block, pair.client, pair.server);
                move(block, pair.server, pair.client);
            }
        } finally {
            for (Pair pair : pairs) {
                pair.close();
            }
        }
    }

    private static void move(byte[] block, Socket from, Socket to) throws Exception {
        Background<Void> writing = Background.run(() -> from.getOutputStream().write(block));
        assertArrayEquals(block, to.getInputStream().readNBytes(block.length));
        writing.result();
    }
}
