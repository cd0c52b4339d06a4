package jfs.conformance.nio;

import static jfs.conformance.nio.Connected.read;
import static jfs.conformance.nio.Connected.write;
import static jfs.conformance.nio.Provider.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import jfs.testing.Effort;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that the program sends by {@code FileChannel.transferTo} before, during and after the switch of a channel's connection. */
@Tag("channels")
class FilesTest {

    private static final int LONG_FILE = 200_000;
    /** More than a connection keeps for a reader that does not read. */
    private static final int MUCH = 16 << 20;
    private static final boolean ARE_WRITTEN = "mx".equals(System.getProperty("subject"));
    private static final String WHY = "between hosts the first bytes are a proof, so the kernel sends no file";

    @TempDir
    static Path folder;

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + i / 256);
        }
        return bytes;
    }

    /** The kernel copies a file fewer times. Before the conversation leads to an offer, a file keeps the connection on TCP. */
    @Test
    void aConnectionThatSendsAFileFirstStaysOnTcp() throws Exception {
        assumeFalse(ARE_WRITTEN, WHY);
        long before = Stats.fallbacks(Reason.SENDFILE);
        Path file = Files.write(folder.resolve("one"), bytes(1_000));
        try (Connected it = Connected.by(Provider.JFS.get()); FileChannel from = FileChannel.open(file)) {
            for (int i = 0; i < 2; i++) {
                assertEquals(1_000, from.transferTo(0, 1_000, it.client()));
                assertEquals(ByteBuffer.wrap(bytes(1_000)), ByteBuffer.wrap(read(it.accepted(), 1_000)));
                talk(it, 500);
            }
        }
        assertEquals(before + 1, Stats.fallbacks(Reason.SENDFILE));
    }

    /**
     * A process cuts off a file while it is on its way. Over TCP the kernel finds that. By a path the bytes are copied out of a mapping,
     * and the JVM must not touch a page that is gone: in JDK 17 it ended for that.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileMayBecomeShorterMeanwhile(boolean blocking) throws Exception {
        Path file = Files.write(folder.resolve("shorter"), bytes(LONG_FILE));
        try (Connected it = Beginning.FAST.connect(Provider.JFS.get());
                FileChannel from = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            AtomicBoolean ended = new AtomicBoolean();
            Background<Integer> reading = Background.call(() -> {
                ByteBuffer into = ByteBuffer.allocate(LONG_FILE);
                while (it.accepted().read(into.clear()) >= 0) { // whatever comes
                }
                return 0;
            });
            Background<Integer> cutting = Background.call(() -> {
                while (!ended.get()) {
                    from.truncate(0);
                    from.write(ByteBuffer.wrap(bytes(LONG_FILE)), 0);
                }
                return 0;
            });
            it.client().configureBlocking(blocking);
            MappedByteBuffer mapped = from.map(FileChannel.MapMode.READ_ONLY, 0, LONG_FILE);
            int failed = 0;
            for (int i = 0; i < Effort.rounds(300, 20_000) || failed == 0; i++) {
                try {
                    from.transferTo(0, LONG_FILE, it.client());
                    it.client().write(mapped.duplicate());
                    it.client().write(new ByteBuffer[] {mapped.duplicate().limit(1_000), mapped.slice(1_000, 1_000)});
                } catch (IOException e) {
                    assertEquals("Bad address", e.getMessage());
                    failed++;
                }
            }
            ended.set(true);
            cutting.result();
            it.client().shutdownOutput();
            reading.result();
        }
    }

    private static void talk(Connected it, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            write(it.client(), new byte[] {(byte) i});
            assertEquals((byte) i, read(it.accepted(), 1)[0]);
            write(it.accepted(), new byte[] {(byte) ~i});
            assertEquals((byte) ~i, read(it.client(), 1)[0]);
        }
    }

    /** A file is sent by the kernel before the switch, or goes by the path after it. No byte is lost, doubled or moved. */
    @Test
    void filesBeforeDuringAndAfterTheSwitchKeepTheirPlace() throws Exception {
        Path file = Files.write(folder.resolve("file"), bytes(100_000));
        for (int first : new int[] {0, 1, 5, 50, 200}) {
            assertSame((provider, seen) -> {
                try (Connected it = Connected.by(provider); FileChannel from = FileChannel.open(file)) {
                    for (int i = 0; i < 250; i++) {
                        if (i == first || i > first && i % 20 == 0) {
                            int begin = i * 7;
                            int length = i % 40 == 0 ? 90_000 : 10;
                            Background<byte[]> reading = Background.call(() -> read(it.accepted(), length));
                            for (long sent = 0; sent < length;) {
                                sent += from.transferTo(begin + sent, length - sent, it.client());
                            }
                            assertEquals(ByteBuffer.wrap(bytes(100_000), begin, length), ByteBuffer.wrap(reading.result()));
                        }
                        write(it.client(), new byte[] {(byte) i});
                        assertEquals((byte) i, read(it.accepted(), 1)[0]);
                        write(it.accepted(), new byte[] {(byte) i});
                        assertEquals((byte) i, read(it.client(), 1)[0]);
                    }
                    seen.see("rest", () -> it.accepted().socket().getInputStream().available());
                }
            });
        }
    }

    /**
     * Another thread is in a write, for which the peer has no room. A transfer waits for it until it is interrupted. In later versions the
     * JDK itself waits there, whatever comes, and so does the thread that interrupts.
     */
    @Test
    @EnabledForJreRange(maxVersion = 17)
    void anInterruptEndsATransferThatWaitsForAWriter() throws Exception {
        Path file = Files.write(folder.resolve("waits"), bytes(LONG_FILE));
        try (Connected it = Beginning.FAST.connect(Provider.JFS.get()); FileChannel from = FileChannel.open(file)) {
            Background<Integer> writing = Background.call(() -> it.client().write(ByteBuffer.wrap(bytes(MUCH)))).blocked();
            Background<Long> sending = Background.call(() -> from.transferTo(0, LONG_FILE, it.client())).blocked();
            sending.thread().interrupt();
            assertThrows(ClosedByInterruptException.class, sending::result);
            assertFalse(from.isOpen());
            assertEquals(ByteBuffer.wrap(bytes(MUCH)), ByteBuffer.wrap(read(it.accepted(), MUCH)));
            assertEquals(MUCH, writing.result());
        }
    }
}
