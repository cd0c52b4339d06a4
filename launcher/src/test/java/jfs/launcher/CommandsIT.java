package jfs.launcher;

import static jfs.launcher.Programs.JAR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jfs.launcher.Programs.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands settings and netpipe. */
class CommandsIT {

    @TempDir
    static Path folder;

    // ---- settings ----

    @Test
    void settingsSayWhereEachValueIsFrom() throws Exception {
        Outcome outcome = Programs.bareJava(folder, Map.of("JFS_LOG", "all", "JFS_POLL_MICROS", "5", "JFS_OTHER", "secret"),
                List.of("-Djfs.poll.micros=7", "-jar", JAR, "settings", "-Djfs.buffer.size=8192"));
        assertEquals(new Outcome(0, outcome.out(), ""), outcome);
        List<String> lines = outcome.out().lines().toList();
        assertTrue(lines.contains("jfs.log = all (environment variable JFS_LOG; default: off)"), outcome.out());
        assertTrue(lines.contains("jfs.poll.micros = 7 (system property; default: 80)"), outcome.out());
        assertTrue(lines.contains("jfs.buffer.size = 8192 (system property; default: 1048576)"), outcome.out());
        assertTrue(lines.contains("jfs.tcp = auto (default)"), outcome.out());
        assertTrue(lines.contains("The environment has JFS_OTHER, which JFS does not know and ignores."), outcome.out());
        assertFalse(outcome.out().contains("secret"), outcome.out());
    }

    @Test
    void settingsForPrograms() throws Exception {
        Outcome outcome = settings("--json", "-Djfs.log=all");
        assertEquals(new Outcome(0, outcome.out(), ""), outcome);
        assertTrue(outcome.out().contains("{\"name\": \"jfs.log\", \"value\": \"all\", \"source\": \"system property\","
                + " \"default\": \"off\", \"variable\": \"JFS_LOG\", \"transport\": null, \"meaning\": \"off, "), outcome.out());
        assertTrue(outcome.out().contains("{\"name\": \"jfs.sci.long.min\", \"value\": \"8192\", \"source\": \"default\","
                + " \"default\": \"8192\", \"variable\": \"JFS_SCI_LONG_MIN\", \"transport\": \"sci\", "), outcome.out());
        assertTrue(outcome.out().endsWith("], \"unknownVariables\": []}\n"), outcome.out());
    }

    @Test
    void theUseOfSettingsNamesTheOptionAsJavaDoes() throws Exception {
        String help = settings("--help").out();
        assertTrue(help.startsWith("Use: java -jar jfs.jar settings [-h] [--json] [-Djfs.name=value]...\n"), help);
    }

    /** A full file stands for a full disk. */
    @Test
    void outputThatCanNotBeWrittenIsAFailure() throws Exception {
        Path full = folder.resolve("full");
        List<String> command = new ArrayList<>(List.of("prlimit", "--fsize=0"));
        command.addAll(Programs.bareJava());
        command.addAll(List.of("-XX:-UsePerfData", "-jar", JAR, "settings"));
        Process process = Programs.process(folder, Map.of(), command).redirectOutput(full.toFile()).start();
        assertEquals("jfs: the output can't be written completely; is there no room left?", process.errorReader().readLine());
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertEquals(1, process.exitValue());
        assertEquals(0, Files.size(full));
    }

    /** The shell opens the FIFO for both directions, opens it for the command, and closes its own end before the command writes. */
    @Test
    void aReaderThatHasClosedAFifoHasReadEnough() throws Exception {
        Path fifo = folder.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        List<String> command = new ArrayList<>(List.of("sh", "-c", "exec 3<>\"$0\" 4>\"$0\" 3>&-; exec \"$@\" >&4 4>&-", fifo.toString()));
        command.addAll(Programs.bareJava());
        command.addAll(List.of("-jar", JAR, "settings"));
        assertEquals(new Outcome(0, "", ""), Programs.run(folder, Map.of(), command));
    }

    @Test
    void wrongSettingsAreRefused() throws Exception {
        assertEquals(new Outcome(2, "", "jfs: bad setting jfs.tcp=udp; allowed is one of auto, nio\n"), settings("-Djfs.tcp=udp"));
        Outcome unknown = settings("-Djfs.nothing=1");
        assertEquals(new Outcome(2, "", unknown.err()), unknown);
        assertTrue(unknown.err().startsWith("jfs: unknown setting jfs.nothing=1; allowed are jfs.allow.uids, "), unknown.err());
    }

    private static Outcome settings(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("-jar", JAR, "settings"));
        command.addAll(List.of(arguments));
        return Programs.bareJava(folder, Map.of(), command);
    }

    // ---- netpipe ----

    /** With jfs.log both ends print JFS's summary, if their sockets are JFS's. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--plain"})
    void netpipeMeasures(String plain) throws Exception {
        Path results = folder.resolve("np" + plain);
        Process receiver = Programs.process(folder, Map.of("JFS_LOG", "fallback"), netpipe(plain, "-P", "0")).start();
        try (BufferedReader err = receiver.errorReader()) {
            String listening = err.readLine();
            assertTrue(listening != null && listening.startsWith("Listening on port "), listening);
            Outcome transmitter = Programs.run(folder, Map.of("JFS_LOG", "fallback"),
                    netpipe(plain, "-h", "127.0.0.1", "-P", listening.substring("Listening on port ".length()), "-o", results.toString()));
            assertEquals(0, transmitter.exitCode(), transmitter::err);
            assertTrue(receiver.waitFor(30, TimeUnit.SECONDS));
            assertEquals(0, receiver.exitValue());
            assertEquals(plain.isEmpty(), transmitter.err().contains("jfs: "), transmitter.err());
            assertEquals(plain.isEmpty(), err.lines().anyMatch(line -> line.startsWith("jfs: ")));
        } finally {
            receiver.destroyForcibly();
        }
        assertTrue(Files.readAllLines(results).stream().allMatch(line -> line.matches("\\s*\\d+\\s+[0-9.]+\\s+[0-9.]+")));
        assertFalse(Files.readString(results).isEmpty());
    }

    private static List<String> netpipe(String plain, String... arguments) throws IOException {
        List<String> command = Programs.bareJava();
        command.addAll(List.of("-jar", JAR, "netpipe"));
        command.addAll(plain.isEmpty() ? List.of() : List.of(plain));
        command.addAll(List.of("--warmup", "0", "--trial-seconds", "0.001", "-u", "64"));
        command.addAll(List.of(arguments));
        return command;
    }

    @Test
    void netpipeTellsAllItsOptions() throws Exception {
        Outcome outcome = Programs.bareJava(folder, Map.of(), List.of("-jar", JAR, "netpipe", "--plain", "--help"));
        assertEquals(new Outcome(0, outcome.out(), ""), outcome);
        assertTrue(outcome.out().contains("--first-repeats"), outcome.out());
        Outcome wrong = Programs.bareJava(folder, Map.of(), List.of("-jar", JAR, "netpipe", "-P", "x"));
        Outcome setting = Programs.bareJava(folder, Map.of(), List.of("-Djfs.log=loud", "-jar", JAR, "netpipe"));
        assertEquals(new Outcome(2, "", "jfs: bad setting jfs.log=loud; allowed is one of off, fallback, all\n"), setting);
        assertEquals(new Outcome(2, "", "jfs: netpipe: -P x: must be a whole number from 0 to 65535; see --help\n"), wrong);
    }
}
