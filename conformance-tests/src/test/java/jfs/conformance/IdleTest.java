package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Connections that nobody uses for a while. */
class IdleTest {

    private static final int CONNECTIONS = 10;
    private static final int RESIDENT_MAX = 32 << 10;

    /** Resident bytes of the shared segments that this process has mapped. */
    private static long resident() throws IOException {
        long kilobytes = 0;
        boolean segment = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                segment = line.contains("memfd:");
            } else if (segment && line.startsWith("Rss:")) {
                kilobytes += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return kilobytes << 10;
    }

    @Test
    void keepLittleMemoryAndGoOn() throws Exception {
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
            if (Subject.current().switches()) {
                assertTrue(resident() > CONNECTIONS * 2L * block.length, "the count counts");
            }
            // Both ends of each are in this process, so its memory is counted twice.
            Await.until("no more than 32 KB each", () -> resident() <= CONNECTIONS * 2L * RESIDENT_MAX);
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
