package netpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** This program against the C program, in both roles and every mode. */
@Timeout(30)
class InteropTest {

    private static final List<String> SIZES = List.of("1", "2", "3", "4", "6", "8", "12", "13", "16", "19");

    @TempDir
    private Path folder;
    private Path nptcp;
    private Path results;
    private Process process;

    @BeforeEach
    void findNPtcp() {
        nptcp = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(entry -> Path.of(entry, "NPtcp"))
                .filter(Files::isExecutable)
                .findFirst().orElse(null);
        Assumptions.assumeTrue(nptcp != null, "NPtcp is not installed (Debian: apt-get install netpipe-tcp)");
        results = folder.resolve("np.out");
    }

    @AfterEach
    void leaveNothingBehind() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    private void startNPtcp(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(nptcp.toString()));
        command.addAll(Arrays.asList(args));
        process = new ProcessBuilder(command).directory(folder.toFile())
                .redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile()).start();
    }

    private void assertNPtcpSucceeds() throws Exception {
        assertTrue(process.waitFor(20, TimeUnit.SECONDS), "NPtcp goes on");
        assertEquals(0, process.exitValue(), () -> "NPtcp said: " + said());
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("said"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void assertResults(String mode) throws IOException {
        List<String> sizes = Files.readAllLines(results).stream().map(line -> line.trim().split(" +")[0]).toList();
        if (mode.contains("i")) {
            assertEquals(List.of("5", "7", "9", "13"), sizes);
        } else if (mode.contains("2")) {
            assertEquals(SIZES.stream().map(size -> Integer.toString(2 * Integer.parseInt(size))).toList(), sizes);
        } else {
            assertEquals(SIZES, sizes);
        }
    }

    private static String[] args(String mode, String... more) {
        List<String> args = new ArrayList<>(Arrays.asList((mode + " -n 20 -u 16").trim().split(" ")));
        args.addAll(Arrays.asList(more));
        return args.toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-2", "-i", "-s", "-r", "-I", "-O 1,3", "-b 50000"})
    void ourReceiver(String mode) throws Exception {
        Run receiver = Run.receiver(args(mode));
        startNPtcp(args(mode, "-h", "127.0.0.1", "-P", Integer.toString(receiver.port())));
        assertNPtcpSucceeds();
        assertEquals(0, receiver.exitCode(), receiver::err);
        assertResults(mode);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-2", "-i", "-s", "-r", "-I", "-O 1,3", "-b 50000"})
    void ourTransmitter(String mode) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        startNPtcp(args(mode, "-P", Integer.toString(port)));
        // NPtcp does not report when it listens, so the transmitter tries until it can connect.
        Run transmitter;
        do {
            assertTrue(process.isAlive(), () -> "NPtcp ended: " + said());
            transmitter = Run.transmitter(port, args(mode, "-o", results.toString()));
        } while (transmitter.exitCode() == 1 && transmitter.err().contains("cannot connect"));
        assertEquals(0, transmitter.exitCode(), transmitter::err);
        assertNPtcpSucceeds();
        assertResults(mode);
    }
}
