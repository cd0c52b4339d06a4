package netpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class OptionsTest {

    private static Options parse(String... args) {
        Options options = new Options();
        options.commandLine().parseArgs(args);
        options.check();
        return options;
    }

    @Test
    void defaultsAreNPtcps() {
        Options options = parse();
        assertFalse(options.transmitter());
        assertEquals(5002, options.port());
        assertEquals(1, options.lower());
        assertEquals(10_000_000, options.upper());
        assertEquals(3, options.perturbation());
        assertEquals(0, options.repeats());
        assertEquals(0, options.bufferSize());
        assertEquals(Path.of("np.out"), options.output());
        assertTrue(options.cached());
        assertFalse(options.stream() || options.bothWays() || options.integrity() || options.resetting());
        assertEquals(0.10, options.trialSeconds());
    }

    @Test
    void clustersAndAttachedValuesAsInGetopt() {
        Options options = parse("-rI2hhost", "-P5003", "-n50", "-O", "1,3");
        assertTrue(options.resetting() && options.bothWays() && options.transmitter());
        assertFalse(options.cached());
        assertEquals("host", options.host());
        assertEquals(5003, options.port());
        assertEquals(50, options.repeats());
        assertEquals(1, options.sendOffset());
        assertEquals(3, options.receiveOffset());
    }

    @Test
    void oneOffsetIsForBoth() {
        assertEquals(7, parse("-O7").sendOffset());
        assertEquals(7, parse("-O7").receiveOffset());
    }

    @Test
    void streamingResets() {
        assertTrue(parse("-s").resetting());
        assertTrue(parse("-sr").resetting());
    }

    @Test
    void theLastOneCountsAsInGetopt() {
        assertEquals(3, parse("-l", "5", "-l", "3").lower());
        assertEquals(5, parse("-l", "9", "-i").lower());
        assertEquals(9, parse("-i", "-l", "9").lower());
        assertEquals(0, parse("-p", "2", "-i").perturbation());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "-l abc            | -l abc: must be a whole number from 1 to 1000000000",
            "-l 0              | -l 0: must be a whole number from 1 to 1000000000",
            "-u 99999999999    | -u 99999999999: must be a whole number from 1 to 1000000000",
            "-p -1             | -p -1: must be a whole number from 0 to 1000000000",
            "-n 1.5            | -n 1.5: must be a whole number from 0 to 2147483647",
            "-b -5             | -b -5: must be a whole number from 0 to 1000000000",
            "-P 65536          | -P 65536: must be a whole number from 0 to 65535",
            "-h host -P 0      | -P 0: must be a whole number from 1 to 65535 with -h",
            "-O 1,2,3          | -O 1,2,3: must be one or two whole numbers from 0 to 1000000, with a comma between",
            "-O 1,             | -O : must be a whole number from 0 to 1000000",
            "-l 9 -u 5         | -l 9: must be a size up to -u 5",
            "-s2               | -s and -2 exclude each other: give one of them",
            "--warmup soon     | --warmup soon: must be a number from 0.0 to 600.0",
            "--trial-seconds 0 | --trial-seconds 0: must be a number from 1.0E-4 to 600.0",
            "--warmup NaN      | --warmup NaN: must be a number from 0.0 to 600.0",
            "-h localhost -o / | -o /: must be the path of a file that can be written",
            "-q                | Unknown option: '-q'",
            "-l                | Missing required parameter for option '-l' (BYTES)",
            "stray             | Unmatched argument at index 0: 'stray'",
    })
    void badOptionsGetOneLine(String args, String message) throws Exception {
        Run run = Run.of(args.split(" "));
        assertEquals(2, run.exitCode());
        assertEquals("NetPIPE: " + message + "; see --help" + System.lineSeparator(), run.err());
        assertEquals("", run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-A", "-B", "-D x", "-S", "-X", "-a", "-c event", "-d file", "-f", "-g", "-m 256",
            "-t rdma_write", "-z", "-rA"})
    void whatIsNotForTcpIsRefused(String args) throws Exception {
        Run run = Run.of(args.split(" "));
        assertEquals(2, run.exitCode());
        String option = args.equals("-rA") ? "-A" : args.substring(0, 2);
        assertTrue(run.err().matches("NetPIPE: " + option + " is not for TCP in Java: .+; see --help\\R"), run.err());
    }

    @Test
    void helpIsNoError() throws Exception {
        Run run = Run.of("--help");
        assertEquals(0, run.exitCode());
        assertTrue(run.out().contains("--trial-seconds"));
        assertEquals("", run.err());
    }
}
