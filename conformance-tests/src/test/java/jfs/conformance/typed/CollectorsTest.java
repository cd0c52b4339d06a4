package jfs.conformance.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jfs.JFSSocketImplFactory;
import jfs.buffers.ArrayLayout;
import jfs.buffers.BasicType;
import jfs.buffers.Layout;
import jfs.buffers.PackedMessage;
import jfs.nativelib.NativeLibrary;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Native code that uses an array holds up the garbage collector. In Java before 25 an allocation of another thread may then fail, although
 * the heap has room after a collection (JDK-8192647). So native code copies no layouts there by default. With {@code
 * JFS_BUFFERS_NATIVE=on} in the environment the test fails for G1 on JDK 17.
 */
@Tag("processes")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CollectorsTest {

    private static final long NANOS = TimeUnit.SECONDS.toNanos(8);

    /** Two threads pack layouts without a pause, and two fill a small heap with garbage. */
    static final class Program {

        private static volatile Object kept;

        private Program() {
        }

        public static void main(String[] arguments) throws Exception {
            JFSSocketImplFactory.install();
            new ServerSocket(0, 1, InetAddress.getLoopbackAddress()).close(); // the native library is loaded for it
            boolean on = "on".equals(System.getenv("JFS_BUFFERS_NATIVE"));
            if (NativeLibrary.copiesBlocks() != (on || Runtime.version().feature() >= 25)) {
                throw new AssertionError("native copies: " + !on);
            }
            long end = System.nanoTime() + NANOS;
            List<Background<Void>> all = List.of(Background.run(() -> pack(end)), Background.run(() -> pack(end)),
                    Background.run(() -> allocate(end)), Background.run(() -> allocate(end)));
            for (Background<Void> one : all) {
                one.result();
            }
            System.out.println("done");
        }

        private static void pack(long end) {
            ArrayLayout<double[]> layout = Layout.of(BasicType.DOUBLE).vector(1_000, 4, 8);
            double[] array = new double[8_000];
            try (PackedMessage message = PackedMessage.allocate(64 << 10)) {
                while (System.nanoTime() < end) {
                    message.clear();
                    message.writer().pack(layout, array, 0, 1);
                }
            }
        }

        private static void allocate(long end) {
            while (System.nanoTime() < end) {
                byte[][] garbage = new byte[200][];
                for (int i = 0; i < garbage.length; i++) {
                    garbage[i] = new byte[10_000 + i];
                }
                kept = garbage;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"UseG1GC", "UseSerialGC", "UseParallelGC"})
    void allocationsSucceedWhileLayoutsAreCopied(String collector) throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+" + collector,
                "-Xmx64m", "--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.net=ALL-UNNAMED",
                "-Djfs.native.dir=" + System.getProperty("jfs.native.dir"), "-cp", System.getProperty("java.class.path"),
                Program.class.getName()).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals("done\n", said);
            assertEquals(0, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
    }
}
