package jfs.mx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jfs.conformance.Await;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that has no more memory for messages: its connections end, and it hears of that as an error of theirs. */
@Tag("processes")
@Timeout(120)
class MxMemoryTest {

    @TempDir
    private Path folder;

    @BeforeAll
    static void findNatives() {
        MxChannelTest.findNatives();
    }

    @Test
    void whatCantBeToldEndsTheConnection() throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), "--enable-native-access=ALL-UNNAMED",
                "-XX:MaxDirectMemorySize=4m", "-Djfs.native.dir=" + System.getProperty("jfs.native.dir"),
                Program.class.getName()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            assertEquals(true, process.waitFor(100, TimeUnit.SECONDS), "still there");
            assertEquals("OutOfMemoryError, Connection reset, 0 channels\n",
                    Files.readString(output, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }

    static final class Program {
        public static void main(String[] arguments) throws Exception {
            findNatives();
            MxEndpoint near = MxEndpoint.open(4_096);
            MxEndpoint far = MxEndpoint.open(4_096);
            MxChannel asking = near.newChannel(1);
            MxChannel closing = near.newChannel(2);
            for (MxChannel channel : List.of(asking, closing)) {
                MxChannel peer = far.newChannel(channel == asking ? 1 : 2);
                channel.connect(peer.description());
                peer.connect(channel.description());
                Await.until("greeted", channel::greeted);
            }
            Await.until("only receives", () -> near.buffersInUse() == MxEndpoint.RECEIVES);
            List<MessageBuffer> all = new ArrayList<>();
            try {
                for (;;) {
                    all.add(near.buffers().take());
                }
            } catch (OutOfMemoryError e) { // a write's is its own
                System.out.print(e.getClass().getSimpleName());
            }
            asking.askWhetherEnded();
            System.out.print(", " + asking.failure().getMessage());
            asking.abandon();
            closing.abandon();
            Await.until("forgotten", () -> near.channels() == 0);
            System.out.print(", " + near.channels() + " channels\n");
        }
    }
}
