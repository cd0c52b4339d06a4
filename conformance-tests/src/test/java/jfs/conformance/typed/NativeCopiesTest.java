package jfs.conformance.typed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jfs.JFS;
import jfs.JFSSocketImplFactory;
import jfs.buffers.ArrayLayout;
import jfs.buffers.BasicType;
import jfs.buffers.Layout;
import jfs.buffers.PackedMessage;
import jfs.buffers.pool.BufferPool;
import jfs.buffers.pool.PooledBuffer;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where native code copies the blocks of layouts, and where it does not. All copies have the same result, so the JVM is asked: it logs when a
 * native method is called for the first time ({@code -Xlog:jni+resolve}).
 */
@Tag("processes")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class NativeCopiesTest {

    /** Copies a layout to some memory and back. Its argument tells which memory. */
    static final class Program {

        private static final ArrayLayout<double[]> LAYOUT = Layout.of(BasicType.DOUBLE).vector(50, 2, 4);
        private static final double[] ARRAY = new double[200];
        private static final int ROUNDS = 100_000;

        private Program() {
        }

        public static void main(String[] arguments) throws Exception {
            JFSSocketImplFactory.install();
            switch (arguments[0]) {
                case "stream" -> throughStream();
                case "message" -> throughMessage(PackedMessage.allocate(4096));
                case "pool" -> throughMessage(PackedMessage.allocate(4096, 4096, ofTheProgram()));
                case "buffer" -> {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(4096).order(ByteOrder.nativeOrder());
                    loadLibrary();
                    LAYOUT.pack(ARRAY, 0, 1, buffer);
                    LAYOUT.unpack(buffer.flip(), ARRAY, 0, 1);
                }
                default -> throw new AssertionError(arguments[0]);
            }
            System.out.println("done");
        }

        private static void loadLibrary() throws IOException {
            new ServerSocket(0, 1, InetAddress.getLoopbackAddress()).close();
        }

        private static void throughMessage(PackedMessage message) throws IOException {
            loadLibrary();
            message.order(ByteOrder.nativeOrder());
            message.writer().pack(LAYOUT, ARRAY, 0, 1);
            message.commit();
            message.reader().unpack(LAYOUT, ARRAY, 0, 1);
        }

        private static BufferPool ofTheProgram() {
            ByteBuffer memory = ByteBuffer.allocateDirect(4096);
            return bytes -> new PooledBuffer() {
                @Override
                public ByteBuffer memory() {
                    return memory;
                }

                @Override
                public void close() {
                    // the memory stays
                }
            };
        }

        /** Until the connection has its fast path, and some more rounds. */
        private static void throughStream() throws IOException {
            try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    Socket near = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    Socket far = listener.accept()) {
                TypedOutput out = JFS.streams(near).output();
                TypedInput in = JFS.streams(far).input();
                int fast = 0;
                for (int i = 0; i < ROUNDS && fast < 10; i++) {
                    LAYOUT.write(ARRAY, 0, 1, out);
                    LAYOUT.read(in, ARRAY, 0, 1);
                    far.getOutputStream().write(1); // so that there is a conversation
                    near.getInputStream().read();
                    try (WriteClaim claim = out.claim(Long.BYTES)) {
                        fast += claim.isInPlace() ? 1 : 0;
                    }
                }
                if (fast == 0) {
                    throw new AssertionError("the connection has no fast path");
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"stream, on, true", "stream, off, false", "message, on, true", "message, off, false", "pool, on, false",
        "buffer, on, false"})
    void areMadeInMemoryThatStaysAndIfTheyAreWanted(String memory, String setting, boolean copies) throws Exception {
        assertCopied(memory, "-Djfs.buffers.native=" + setting, copies);
    }

    @ParameterizedTest
    @CsvSource({"stream", "message"})
    void areMadeByDefaultFromJava25On(String memory) throws Exception {
        assertCopied(memory, "-Djfs.buffers.native=auto", Runtime.version().feature() >= 25);
    }

    private static void assertCopied(String memory, String setting, boolean copies) throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xlog:jni+resolve=debug",
                "--enable-native-access=ALL-UNNAMED", "--add-opens=java.base/java.net=ALL-UNNAMED", setting,
                "-Djfs.native.dir=" + System.getProperty("jfs.native.dir"), "-cp", System.getProperty("java.class.path"),
                Program.class.getName(), memory).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            List<String> last = said.lines().filter(line -> !line.contains("[jni,resolve]")).toList();
            assertEquals(List.of("done"), last);
            assertEquals(copies, said.contains("jfs.nativelib.Blocks.gather "), "gather");
            assertEquals(copies, said.contains("jfs.nativelib.Blocks.scatter "), "scatter");
        } finally {
            process.destroyForcibly();
        }
    }
}
