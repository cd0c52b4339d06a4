package jfs.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

    private int enter(String address, int port) throws Exception {
        return ConnectionTable.enter(this, InetAddress.getByName(address), port, 1, false, false);
    }

    private ConnectionView view(int port) {
        List<ConnectionView> found = reader.connections().stream().filter(it -> it.port() == port).toList();
        assertEquals(1, found.size(), found::toString);
        return found.get(0);
    }

    @Test
    void aRowShowsItsConnection() throws Exception {
        int row = ConnectionTable.enter(this, InetAddress.getByName("192.0.2.200"), 5_001, 40_001, true, true);
        ConnectionTable.state(row, 3);
        ConnectionTable.transport(row, "sci");
        ConnectionTable.ring(row, 65_536);
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
        assertEquals(new ConnectionView(view.row(), InetAddress.getByName("192.0.2.200"), 5_001, 40_001, true, true, view.since(),
                "ATTACHED", "sci", "", "", 65_536, 1, new ConnectionView.Direction("FAST", 12, 7, 1, 0, 1),
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
        counters[0].sleeps(true);
        assertEquals(new ConnectionView.Direction("TCP", 0, 0, 3, 0, 0), view(5_005).in());
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

    /** A text of another process does not command the terminal of the one who reads it. */
    @Test
    void aTextIsPrintable() throws Exception {
        int row = enter("127.0.0.1", 5_007);
        ConnectionTable.reason(row, 1, "a\u001b[2Jb\nc\u009bd");
        ConnectionTable.transport(row, "\u001bc");
        assertEquals("a?[2Jb?c?d ?c", view(5_007).detail() + " " + view(5_007).transport());
        ConnectionTable.leave(row);
    }

    /** Rows whose connections are garbage are used again. One whose connection is not stays. */
    @Test
    void aForgottenConnectionGivesItsRowBack() throws Exception {
        Object held = new Object();
        int heldRow = ConnectionTable.enter(held, InetAddress.getByName("127.0.0.1"), 5_009, 1, false, false);
        long most = 0;
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 1_000; j++) {
                ConnectionTable.enter(new Object(), InetAddress.getByName("127.0.0.1"), 5_008, 1, false, false);
            }
            System.gc();
            most = Math.max(most, reader.connections().stream().filter(it -> it.port() == 5_008).count());
        }
        assertTrue(most >= 1_000 && most < 4_000, "rows: " + most);
        assertEquals(5_009, view(5_009).port());
        java.lang.ref.Reference.reachabilityFence(held);
        ConnectionTable.leave(heldRow);
    }

    @Test
    void bytesThatWaitAreThoseThatTheReceiverHasNotCounted() throws Exception {
        int sender = enter("127.0.0.1", 5_010);
        int receiver = enter("127.0.0.1", 5_011);
        ConnectionTable.sentOverTcp(sender, 50);
        ConnectionTable.receivedOverTcp(receiver, 50);
        ConnectionTable.sent(sender, 10);
        ConnectionTable.received(receiver, 7);
        assertEquals(3, reader.waiting(view(5_010), reader, view(5_011)));
        ConnectionTable.received(receiver, 4); // the sender is about to count
        assertEquals(0, reader.waiting(view(5_010), reader, view(5_011)));
        ConnectionView received = view(5_011);
        ConnectionTable.leave(receiver);
        assertEquals(-1, reader.waiting(view(5_010), reader, received));
        ConnectionTable.leave(sender);
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
                    row = ConnectionTable.enter(this, InetAddress.getByAddress(new byte[] {9, 9, (byte) (port >> 8), (byte) port}),
                            port, port, false, false);
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
    void aTableOfAnotherLayoutIsRefusedInWords() {
        ByteBuffer other = ByteBuffer.allocateDirect(8_192).order(ByteOrder.nativeOrder());
        other.putLong(TableLayout.MAGIC_AT, TableLayout.MAGIC).putInt(TableLayout.LAYOUT_VERSION_AT, 7)
                .putInt(TableLayout.ROW_BYTES_AT, TableLayout.ROW_BYTES);
        assertEquals("it runs another version of JFS, whose table of connections has layout 7 and not " + TableLayout.LAYOUT_VERSION,
                assertThrows(IllegalArgumentException.class, () -> new TableReader(other)).getMessage());
    }

    @Test
    void whatIsNoTableIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new TableReader(ByteBuffer.allocateDirect(8)));
        assertThrows(IllegalArgumentException.class, () -> new TableReader(ByteBuffer.allocateDirect(8_192)));
    }
}
