package jfs.conformance.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jfs.conformance.harness.Recorded;
import jfs.conformance.harness.Start;
import org.junit.jupiter.api.io.TempDir;

/**
 * The flight recorder has the same events of the two streams. The JDK commits them above all sockets, so JFS has no part in that. Where
 * JFS's TCP is a channel of the JDK ({@code jfs.tcp=nio}), there are events of that channel too, which do not count here.
 */
class RecordedStreamTest {

    @TempDir
    private Path folder;

    @Start.AtEach
    void readsAndWritesAreRecordedInTheSameWay(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            List<RecordedEvent> events = Recorded.during(folder, Duration.ZERO, () -> {
                ends.near().getOutputStream().write(new byte[10]);
                assertEquals(10, ends.farIn().read(new byte[10]));
                ends.farOut().write(1);
                assertEquals(1, ends.near().getInputStream().read());
                ends.far().setSoTimeout(1);
                seen.see("time-out", () -> {
                    try {
                        return ends.farIn().read();
                    } catch (SocketTimeoutException e) {
                        return "time-out";
                    }
                });
                ends.far().setSoTimeout(0);
                ends.near().shutdownOutput();
                seen.see("end", () -> ends.farIn().read());
            });
            List<String> texts = events.stream().map(Recorded::text).filter(text -> !text.contains(" jfs.transport.")).toList();
            assertTrue(texts.size() >= 5, () -> "only " + texts);
            texts.forEach(seen::line);
        });
    }
}
