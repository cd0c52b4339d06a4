package jfs.conformance.nio;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jfs.conformance.harness.Transcript;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The flight recorder has the same events of JFS's channels over TCP as of the JDK's. JDK 17 changes the code of the JDK's class for that.
 * The other end is the JDK's, so the connection stays on TCP.
 */
@Tag("channels")
class RecordingTest {

    @TempDir
    Path folder;

    @Test
    void readsAndWritesAreRecordedInTheSameWay() throws Exception {
        SelectorProvider jdk = Provider.JDK.get();
        Provider.assertSame((provider, seen) -> {
            record(provider, jdk, seen);
            record(jdk, provider, seen);
        });
    }

    private void record(SelectorProvider server, SelectorProvider client, Transcript seen) throws Exception {
        Path file = folder.resolve("recording");
        try (Connected it = Connected.by(server, client, seen); Recording recording = new Recording()) {
            recording.enable("jdk.SocketRead").withThreshold(Duration.ZERO);
            recording.enable("jdk.SocketWrite").withThreshold(Duration.ZERO);
            recording.start();
            it.client().write(ByteBuffer.allocate(10));
            it.accepted().read(ByteBuffer.allocate(10));
            it.accepted().write(new ByteBuffer[] {ByteBuffer.allocate(3), ByteBuffer.allocate(4)});
            it.client().read(new ByteBuffer[] {ByteBuffer.allocate(3), ByteBuffer.allocate(4)});
            it.client().socket().getOutputStream().write(new byte[5]);
            InputStream in = it.accepted().socket().getInputStream();
            seen.see("read", () -> in.read(new byte[5]));
            it.client().shutdownOutput();
            seen.see("end", () -> it.accepted().read(ByteBuffer.allocate(1)));
            recording.stop();
            recording.dump(file);
        }
        List<String> events = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            boolean read = event.hasField("bytesRead");
            events.add(event.getEventType().getName() + " " + event.getLong(read ? "bytesRead" : "bytesWritten") + " "
                    + event.getString("address") + " " + event.getInt("port") + " " + (read && event.getBoolean("endOfStream")));
        }
        events.sort(null);
        assertTrue(events.size() >= 5, () -> "only " + events);
        seen.line(String.join("\n", events));
    }
}
