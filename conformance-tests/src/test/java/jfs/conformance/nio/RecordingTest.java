package jfs.conformance.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jfs.conformance.harness.Recorded;
import jfs.conformance.harness.Transcript;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The flight recorder has the same events of JFS's channels as of the JDK's, over TCP and by a path. JDK 17 and 21 change the code of the
 * JDK's class for that, and later ones have the events in that code.
 */
@Tag("channels")
class RecordingTest {

    @TempDir
    Path folder;

    /** The other end is the JDK's, so the connection stays on TCP. */
    @Test
    void readsAndWritesOverTcpAreRecordedInTheSameWay() throws Exception {
        SelectorProvider jdk = Provider.JDK.get();
        Provider.assertSame((provider, seen) -> {
            try (Connected it = Connected.by(provider, jdk, seen)) {
                record(it, seen);
            }
            try (Connected it = Connected.by(jdk, provider, seen)) {
                record(it, seen);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void readsAndWritesAreRecordedInTheSameWay(Beginning beginning) throws Exception {
        Provider.assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider, seen)) {
                record(it, seen);
            }
        });
    }

    private void record(Connected it, Transcript seen) throws Exception {
        List<RecordedEvent> events = Recorded.during(folder, Duration.ZERO, () -> converse(it, seen));
        assertTrue(events.size() >= 10, () -> "only " + events);
        events.forEach(event -> seen.line(Recorded.text(event)));
    }

    private static void converse(Connected it, Transcript seen) throws Exception {
        SocketChannel client = it.client();
        SocketChannel accepted = it.accepted();
        client.write(ByteBuffer.allocate(10));
        accepted.read(ByteBuffer.allocateDirect(10));
        accepted.write(new ByteBuffer[] {ByteBuffer.allocate(3), ByteBuffer.allocate(4)});
        client.read(new ByteBuffer[] {ByteBuffer.allocate(3), ByteBuffer.allocate(4)});
        client.write(new ByteBuffer[] {ByteBuffer.allocate(0), ByteBuffer.allocate(9_000), ByteBuffer.allocate(9_000)}, 1, 2);
        Connected.read(accepted, 9_000);
        Connected.read(accepted, 9_000);
        client.socket().getOutputStream().write(new byte[5]);
        InputStream in = accepted.socket().getInputStream();
        accepted.socket().setSoTimeout(60_000);
        seen.see("read by the adaptor", () -> in.read(new byte[5]));
        seen.see("no room", () -> accepted.read(ByteBuffer.allocate(0)));
        accepted.configureBlocking(false);
        seen.see("no bytes", () -> accepted.read(ByteBuffer.allocate(1)));
        seen.see("nothing to write", () -> accepted.write(ByteBuffer.allocate(0)));
        accepted.configureBlocking(true);
        client.shutdownOutput();
        seen.see("end", () -> accepted.read(ByteBuffer.allocate(1)));
        seen.see("end", () -> accepted.read(new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.allocate(1)}));
        seen.see("shut", () -> client.write(ByteBuffer.allocate(1)));
        accepted.setOption(StandardSocketOptions.SO_LINGER, 0);
        accepted.close();
        seen.see("closed", () -> accepted.read(ByteBuffer.allocate(1)));
        seen.see("reset", () -> client.read(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsShorterThanTheThresholdIsNotRecorded(Beginning beginning) throws Exception {
        Provider.assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider, seen)) {
                assertEquals(List.of(), Recorded.during(folder, Duration.ofHours(1), () -> converse(it, seen)));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void theTimeThatAReadWaitsIsRecorded(Beginning beginning) throws Exception {
        Provider.assertSame((provider, seen) -> {
            try (Connected it = beginning.connect(provider, seen)) {
                long[] waited = new long[2];
                List<RecordedEvent> events = Recorded.during(folder, Duration.ZERO, () -> {
                    waited[1] = System.nanoTime();
                    Background<Integer> reader = Background.call(() -> it.client().read(ByteBuffer.allocate(3)));
                    reader.blocked();
                    waited[0] = System.nanoTime();
                    reader.blocked();
                    waited[0] -= System.nanoTime();
                    it.accepted().write(ByteBuffer.allocate(3));
                    seen.see("bytes", reader);
                    waited[1] -= System.nanoTime();
                });
                RecordedEvent read = events.stream().filter(event -> event.hasField("bytesRead")).findFirst().orElseThrow();
                seen.line(read.getThread().getJavaName());
                long nanos = read.getDuration().toNanos();
                assertTrue(nanos >= -waited[0] && nanos <= -waited[1], () -> nanos + " of " + -waited[0] + " to " + -waited[1]);
            }
        });
    }
}
