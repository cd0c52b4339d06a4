package netpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A receiver and a transmitter of this program, against each other. */
@Timeout(30)
class LoopbackTest {

    @TempDir
    private Path folder;
    private Path results;

    private Run transmitter(int port, String args) {
        results = folder.resolve("np.out");
        return Run.transmitter(port, (args + " -o " + results).split(" "));
    }

    /** Runs a whole sweep and returns its results. */
    private List<String> sweep(String args) throws Exception {
        Run receiver = Run.receiver(args.split(" "));
        Run transmitter = transmitter(receiver.port(), args);
        assertEquals(0, transmitter.exitCode(), transmitter::err);
        assertEquals(0, receiver.exitCode(), receiver::err);
        return Files.readAllLines(results);
    }

    private static String sizesOf(List<String> lines) {
        return lines.stream().map(line -> line.trim().split(" +")[0]).collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n 20", "-r -n 20", "-I -n 20", "-O 1,3 -n 20", "-I -O 5 -n 20", "-s -n 20",
            "-b 50000 -n 20", "--trial-seconds 0.0005"})
    void everyModeMeasuresEverySize(String args) throws Exception {
        List<String> lines = sweep(args + " -u 32");
        assertEquals("1 2 3 4 6 8 12 13 16 19 21 24 27 29 32 35", sizesOf(lines));
        assertTrue(lines.stream().allMatch(line -> line.matches(" {6,7}\\d+ \\d+\\.\\d{6}   0\\.\\d{8}")),
                () -> String.join("\n", lines));
    }

    @Test
    void bothWaysCountsBothDirections() throws Exception {
        assertEquals("2 4 6 8 12 16", sizesOf(sweep("-2 -n 20 -u 8")));
    }

    @Test
    void bothWaysEndsWhereTheSocketBuffersDo() throws Exception {
        Run receiver = Run.receiver("-2", "-n", "3");
        Run transmitter = transmitter(receiver.port(), "-2 -n 3");
        assertEquals(0, transmitter.exitCode(), transmitter::err);
        assertEquals(0, receiver.exitCode(), receiver::err);
        Endpoint.BufferSizes sizes = Endpoint.BufferSizes.of(0);
        int limit = sizes.send() + sizes.receive();
        assertTrue(transmitter.out().contains("The upper limit is being set to " + limit + " Bytes"));
        long largest = Files.readAllLines(results).stream()
                .mapToLong(line -> Long.parseLong(line.trim().split(" +")[0])).max().orElseThrow();
        assertTrue(largest <= 2 * (limit + 3L), () -> "measured up to " + largest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-i", "-iI", "-iI -O 1,3", "-ir", "-is", "-i2"})
    void integrityIsCheckedInEveryMode(String args) throws Exception {
        List<String> lines = sweep(args + " -n 20 -u 3000");
        int factor = args.contains("2") ? 2 : 1;
        assertEquals(Stream.of(5, 7, 9, 13, 17, 25).map(size -> factor * size + " 20").toList(),
                lines.stream().map(String::trim).limit(6).toList());
    }

    @Test
    void largeMessagesAndTheWholeAreaWithoutCache() throws Exception {
        List<String> lines = sweep("-I -i -n 4 -l 4000000 -u 11000000");
        assertEquals("4000000 6000000 8000000", sizesOf(lines));
    }

    @Test
    void progressIsToldByTheTransmitterAlone() throws Exception {
        Run receiver = Run.receiver("-n", "5", "-u", "2");
        Run transmitter = transmitter(receiver.port(), "-n 5 -u 2");
        assertEquals(0, transmitter.exitCode());
        assertEquals(0, receiver.exitCode());
        List<String> told = Arrays.asList(transmitter.err().split("\\R"));
        assertEquals(5, told.size(), transmitter::err);
        assertTrue(told.get(0).matches("Send and receive buffers are \\d+ and \\d+ bytes"), told.get(0));
        assertEquals("(A bug in Linux doubles the requested buffer sizes)", told.get(1));
        assertEquals("Now starting the main loop", told.get(2));
        assertTrue(told.get(3).matches(
                "  0:       1 bytes      5 times --> +\\d+\\.\\d\\d Mbps in +\\d+\\.\\d\\d usec"));
        assertTrue(told.get(4).startsWith("  1:       2 bytes      5 times --> "));
        assertEquals("Listening on port " + receiver.port(), receiver.err().split("\\R")[0]);
        assertEquals(3, receiver.err().split("\\R").length, receiver::err);
    }

    /** The ends may disagree about when the sweep is over: one of them may measure a second for a message, and the other less. */
    @Test
    void whoeverQuitsFirstEndsTheSweep() throws Exception {
        Run patient = Run.receiver("-n", "5", "-u", "100");
        assertEquals(0, transmitter(patient.port(), "-n 5 -u 4").exitCode());
        assertEquals(0, patient.exitCode(), patient::err);
        assertEquals("1 2 3 4", sizesOf(Files.readAllLines(results)));

        Run hasty = Run.receiver("-n", "5", "-u", "4");
        assertEquals(0, transmitter(hasty.port(), "-n 5 -u 100").exitCode());
        assertEquals(0, hasty.exitCode(), hasty::err);
        assertEquals("1 2 3 4", sizesOf(Files.readAllLines(results)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-s", "-2", "-I", "-i"})
    void warmingUpDoesNotShow(String mode) throws Exception {
        List<String> lines = sweep((mode + " -n 5 -u 8 --warmup 0.05").trim());
        assertEquals(mode.equals("-i") ? 2 : 6, lines.size());
    }

    @Test
    void nobodyListening() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        Run transmitter = transmitter(port, "-n 5");
        assertEquals(1, transmitter.exitCode());
        assertTrue(transmitter.err().contains("NetPIPE: cannot connect to 127.0.0.1 port " + port), transmitter::err);
    }

    @Test
    void portTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            Run receiver = Run.of("-P", Integer.toString(taken.getLocalPort()), "--warmup", "0");
            assertEquals(1, receiver.exitCode());
            assertTrue(receiver.err().startsWith("NetPIPE: cannot listen on port " + taken.getLocalPort()));
        }
    }
}
