package jfs.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import jfs.spi.FastPath;
import jfs.spi.WaitCounters;
import org.junit.jupiter.api.Test;

/** The table of this process, as another process reads it: by the descriptor. */
class ConnectionTableTest {

    private final TableReader reader = reader();

    private static TableReader reader() {
        ConnectionTable.count(7, 0); // makes the table
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            Path file = descriptors.filter(ConnectionTableTest::isTable).findFirst().orElseThrow();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                return new TableReader(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
            }
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isTable(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains(TableLayout.FILE);
        } catch (java.io.IOException e) { // the descriptor of this list
            return false;
        }
    }

    private static int enter(String address, int port) throws Exception {
        return ConnectionTable.enter(InetAddress.getByName(address), port, 1, false, false);
    }

    private ConnectionView view(int port) {
        List<ConnectionView> found = reader.connections().stream().filter(it -> it.port() == port).toList();
        assertEquals(1, found.size(), found::toString);
        return found.get(0);
    }

    @Test
    void aRowShowsItsConnection() throws Exception {
        int row = ConnectionTable.enter(InetAddress.getByName("192.0.2.200"), 5_001, 40_001, true, true);
        ConnectionTable.state(row, 3);
        ConnectionTable.transport(row, "sci");
        ConnectionTable.readerPhase(row, 2);
        ConnectionTable.received(row, 5);
        ConnectionTable.receivedOverTcp(row, 7);
        ConnectionTable.writerPhase(row, 1);
        ConnectionTable.sent(row, 11);
        ConnectionTable.sentOverTcp(row, 13);
        ConnectionTable.turnaround(row);
        ConnectionTable.waited(row, true, 1, 0);
        ConnectionTable.waited(row, false, 0, 1);
        ConnectionTable.rang(row, true);
        ConnectionView view = view(5_001);
        assertEquals(new ConnectionView(InetAddress.getByName("192.0.2.200"), 5_001, 40_001, true, true, view.since(), "ATTACHED", "sci",
                "", "", 1, new ConnectionView.Direction("FAST", 12, 7, 1, 0, 1),
                new ConnectionView.Direction("TCP_ONLY", 24, 13, 0, 1, 0)), view);
        assertTrue(Math.abs(System.currentTimeMillis() - view.since()) < 60_000);
        ConnectionTable.leave(row);
        assertEquals(List.of(), reader.connections().stream().filter(it -> it.port() == 5_001).toList());
    }

    /** A poll's success is put into the row late, but it is there when the thread sleeps, and no more than 64 of them are missing. */
    @Test
    void waitsOfAPathAreInTheRowAtTheNextSleep() throws Exception {
        int row = enter("127.0.0.1", 5_005);
        WaitCounters[] counters = new WaitCounters[1];
        Class<?>[] path = {FastPath.class};
        RowWaits.count((FastPath) Proxy.newProxyInstance(FastPath.class.getClassLoader(), path, (self, method, arguments) -> {
            counters[0] = (WaitCounters) arguments[0];
            return null;
        }), row);
        for (int i = 0; i < 3; i++) {
            counters[0].waited(true, true);
        }
        counters[0].waited(true, false);
        assertEquals(new ConnectionView.Direction("TCP", 0, 0, 3, 1, 0), view(5_005).in());
        for (int i = 1; i <= 200; i++) {
            counters[0].waited(false, true);
            long missing = i - view(5_005).out().found();
            assertTrue(missing >= 0 && missing < 64, () -> missing + " waits are missing");
        }
        counters[0].waited(false, false);
        assertEquals(new ConnectionView.Direction("TCP", 0, 0, 200, 1, 0), view(5_005).out());
        assertEquals(new ConnectionView.Direction("TCP", 0, 0, 3, 1, 0), view(5_005).in());
        ConnectionTable.leave(row);
    }

    @Test
    void addressesOfBothFamiliesAreShown() throws Exception {
        for (String address : List.of("127.0.0.1", "255.254.253.252", "2001:db8::7", "::1")) {
            int row = enter(address, 5_002);
            assertEquals(InetAddress.getByName(address), view(5_002).peer());
            ConnectionTable.leave(row);
        }
    }

    @Test
    void aReasonIsShownByName() throws Exception {
        int row = enter("127.0.0.1", 5_003);
        ConnectionTable.countReason(63, "A_REASON", 1);
        ConnectionTable.reason(row, 63, "Grüße ".repeat(100));
        assertEquals("A_REASON", view(5_003).reason());
        String detail = view(5_003).detail();
        assertTrue("Grüße ".repeat(100).startsWith(detail) && detail.length() > 100, detail); // cut off, but not inside a character
        assertEquals(1L, reader.reasons().get("A_REASON"));
        ConnectionTable.reason(row, -1, null);
        assertEquals("", view(5_003).reason() + view(5_003).detail());
        ConnectionTable.leave(row);
    }

    /** A thread that still leaves a closed connection must not change the row of the next one. */
    @Test
    void aConnectionThatHasLeftChangesNothing() throws Exception {
        int first = enter("127.0.0.1", 5_004);
        ConnectionTable.leave(first);
        List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) { // the first row rests meanwhile
            rows.add(enter("127.0.0.1", 5_099));
        }
        rows.forEach(ConnectionTable::leave);
        rows.clear();
        for (int i = 0; i < 200; i++) {
            rows.add(enter("127.0.0.1", 5_100 + i));
        }
        assertTrue(rows.stream().anyMatch(it -> (it & 0xfffff) == (first & 0xfffff)), "the row was not used again");
        ConnectionTable.state(first, 4);
        ConnectionTable.reason(first, 1, "late");
        ConnectionTable.transport(first, "late");
        ConnectionTable.readerPhase(first, 4);
        ConnectionTable.writerPhase(first, 4);
        ConnectionTable.leave(first);
        for (int i = 0; i < 200; i++) {
            ConnectionView view = view(5_100 + i);
            assertEquals("PLAIN  TCP TCP", view.state() + view.detail() + " " + view.transport() + " " + view.in().phase() + " "
                    + view.out().phase());
        }
        rows.forEach(ConnectionTable::leave);
    }

    @Test
    void aFreedRowRests() throws Exception {
        int first = enter("127.0.0.1", 5_005);
        ConnectionTable.leave(first);
        int next = enter("127.0.0.1", 5_006);
        assertNotEquals(first & 0xfffff, next & 0xfffff);
        ConnectionTable.leave(next);
    }

    /** MONITOR-1: rows are given away and freed all the time; each row that is read is of one connection. */
    @Test
    void noRowIsTorn() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (int i = 0; !over.get(); i++) {
                int port = 10_000 + i % 1_000;
                int row;
                try {
                    row = ConnectionTable.enter(InetAddress.getByAddress(new byte[] {9, 9, (byte) (port >> 8), (byte) port}), port, port,
                            false, false);
                } catch (java.net.UnknownHostException e) {
                    throw new AssertionError(e);
                }
                ConnectionTable.reason(row, 62, "port " + port);
                ConnectionTable.leave(row);
            }
        });
        writer.start();
        try {
            int seen = 0;
            long end = System.nanoTime() + 30_000_000_000L;
            while (seen < 2_000 && System.nanoTime() < end) {
                for (ConnectionView view : reader.connections()) {
                    byte[] address = view.peer().getAddress();
                    if (view.port() >= 10_000 && address[0] == 9) {
                        seen++;
                        assertEquals(view.port(), (address[2] & 0xff) << 8 | address[3] & 0xff);
                        assertEquals(view.port(), view.ownPort());
                        assertTrue(view.detail().isEmpty() || view.detail().equals("port " + view.port()), view::toString);
                    }
                }
            }
            assertTrue(seen >= 2_000, "rows seen: " + seen);
        } finally {
            over.set(true);
            writer.join();
        }
    }

    @Test
    void whatIsNoTableIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new TableReader(ByteBuffer.allocateDirect(8)));
        assertThrows(IllegalArgumentException.class, () -> new TableReader(ByteBuffer.allocateDirect(8_192)));
    }
}
