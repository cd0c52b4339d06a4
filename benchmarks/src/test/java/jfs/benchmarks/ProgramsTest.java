package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The measurements of programs on libraries, with stand-ins. */
class ProgramsTest extends Runs {
    @Test
    void benchKnowsThePrograms() throws Exception {
        Path results = folder.resolve("out");
        assertEquals(
                0, runWithJar("bench", "programs", "--libraries", folder.toString(), "--programs",
                        "sockets:lines,sockets:16k,sockets:lines", "--turns", "2", "--seconds", "0.05", "--cold-seconds", "0.1", "--out",
                        results.toString()),
                err::toString);
        String text = out.toString();
        assertEquals(1, text.lines().filter(line -> line.matches(" *program +cold: operation .*")).count(), text);
        assertEquals(1, text.lines().filter(line -> line.matches(" *program +warm: operation .*")).count(), text);
        assertEquals(2, text.lines().filter(line -> line.matches("sockets +line, answered( +\\S+){8}")).count(), text);
        assertEquals(2, text.lines().filter(line -> line.matches("sockets +16 MB one way by 16 KB( +\\S+){8}")).count(), text);
        assertTrue(text.lines().anyMatch(line -> line.matches("\\d of 6 goals met .*")), text);
        assertEquals(5, Files.readAllLines(results.resolve("programs.csv")).size());
        assertEquals(1000, ImageIO.read(results.resolve("programs.png").toFile()).getWidth());
        assertEquals(1000, ImageIO.read(results.resolve("programs-cpu.png").toFile()).getWidth());
        pageHas(2);
    }

    /** Whether JFS's summary is in the table, ProgramTimesTest checks. */
    @Test
    void benchKnowsTheProgramsOverChannels() throws Exception {
        Path results = folder.resolve("out");
        assertEquals(
                0, runWithJar("bench", "nio", "--libraries", libraries().toString(), "--rows", "netty:echo", "--turns", "2", "--seconds",
                        "0.05", "--warm-up", "1", "--cold-seconds", "0.1", "--out", results.toString()),
                err::toString);
        String text = out.toString();
        assertEquals(4, text.lines().filter(line -> line.matches(" *netty +64 B echo, 64 connections( +\\S+){7,8}")).count(), text);
        assertEquals(2, text.lines().filter(line -> line.matches(" *netty +64 B echo, 1 connection( +\\S+){6} +0")).count(), text);
        assertTrue(text.lines().anyMatch(line -> line.matches("\\d of 6 goals met .*")), text);
        assertEquals(5, Files.readAllLines(results.resolve("nio.csv")).size());
        assertEquals(1000, ImageIO.read(results.resolve("nio.png").toFile()).getWidth());
        assertEquals(1000, ImageIO.read(results.resolve("nio-cpu.png").toFile()).getWidth());
        pageHas(2);
    }

    @Test
    void benchKnowsIdleConnectionsInASelector() throws Exception {
        Path results = folder.resolve("out");
        assertEquals(
                0, runWithJar("bench", "nio", "--libraries", folder.toString(), "--rows", "idle", "--idle", "50", "--idle-seconds", "0.5",
                        "--turns", "2", "--seconds", "0.05", "--out", results.toString()),
                err::toString);
        String text = out.toString();
        assertEquals(2, text.lines().filter(line -> line.matches(" *(0|50)( +\\S+){8}")).count(), text);
        assertEquals(2, text.lines().filter(line -> line.matches(" *(JDK|JFS, agent, nio)( +\\S+){8}")).count(), text);
        // Each has a descriptor at each end, and no shared memory.
        assertEquals(4, text.lines().filter(line -> line.matches(".* (client|server)( +-?\\d+){2} +0 +1.00 +\\S+")).count(), text);
        assertEquals(3, text.lines().filter(line -> line.matches("50 idle connections, JFS: .* (not )?met")).count(), text);
        assertEquals(5, Files.readAllLines(results.resolve("nio-idle.csv")).size());
        assertEquals(1000, ImageIO.read(results.resolve("nio-idle.png").toFile()).getWidth());
        assertFalse(Files.exists(results.resolve("nio.csv")));
        pageHas(1);
    }

    @ParameterizedTest
    @CsvSource({
        "--idle, 0, --idle: 0 is not 1 or more",
        "--idle, 2000000000, '--idle: 2000000000 is not possible: the hard limit of descriptors (ulimit -Hn) allows '",
        "--idle-seconds, 0, --idle-seconds: 0.0 is not more than 0 and at most 30",
        "--idle-seconds, 31, --idle-seconds: 31.0 is not more than 0 and at most 30",
        "--seconds, 21, --seconds: 21.0 is not more than 0 and at most 20",
    })
    void idleConnectionsRefuseWhatCannotBe(String option, String value, String says) {
        assertEquals(2, run("bench", "nio", "--libraries", folder.toString(), "--rows", "idle", option, value));
        assertTrue(err.toString().startsWith("jfs: " + says), err::toString);
    }

    @Test
    void aProgramThatFailsKeepsNoOtherFromBeingMeasured() throws Exception {
        assertEquals(
                1, runWithJar("bench", "programs", "--libraries", folder.toString(), "--programs", "smtp:message,sockets:lines",
                        "--cold-only", "--cold-seconds", "0.1", "--busy", "1", "--one-core"),
                err::toString);
        String text = out.toString(); // the folder has no SMTP library
        assertTrue(text.contains("FAILED smtp: message: the server of smtp: message over J"), text);
        assertTrue(text.lines().anyMatch(line -> line.matches("sockets +line, answered( +\\S+){8}")), text);
        assertFalse(text.contains("warm: operation"), text);
        pageHas(2);
    }

    @ParameterizedTest
    @CsvSource({
        "--forks, 0, --forks: 0 is not 1 or more",
        "--turns, 0, --turns: 0 is not 1 or more",
        "--seconds, 21, --seconds: 21.0 is not more than 0 and at most 20",
        "--cold-seconds, 0, --cold-seconds: 0.0 is not more than 0 and at most 30",
        "--warm-up, 0, --warm-up: 0 is not 1 or more",
        "--warm-up, 61, --warm-up: 61 is not at most 60",
        "--busy, -1, --busy: -1 is not 0 or more",
        "--programs, corba, '--programs: corba is none of sockets, rmi, thrift, '",
        "--programs, thrift:fetch, '--programs: thrift:fetch is none of sockets, rmi, thrift, '",
        "--libraries, /does/not/exist, --libraries: there is no file /does/not/exist",
    })
    void programsRefuseWhatCannotBe(String option, String value, String says) {
        List<String> arguments = new ArrayList<>(List.of("bench", "programs", option, value));
        if (!option.equals("--libraries")) {
            arguments.addAll(List.of("--libraries", folder.toString()));
        }
        assertEquals(2, run(arguments.toArray(String[]::new)));
        assertTrue(err.toString().startsWith("jfs: " + says), err::toString);
    }

    @Test
    void aRowThatThereIsNotIsAUsageError() {
        assertEquals(2, run("bench", "nio", "--libraries", folder.toString(), "--rows", "mina"));
        assertTrue(err.toString().startsWith("jfs: --rows: mina is none of netty"), err::toString);
        assertTrue(err.toString().contains("file, idle, and no operation of theirs"), err::toString);
    }

    @Test
    void coldOnlyAndWarmOnlyExcludeEachOther() {
        assertEquals(2, run("bench", "programs", "--libraries", folder.toString(), "--cold-only", "--warm-only"));
        assertTrue(err.toString().contains("--cold-only, --warm-only are mutually exclusive"), err::toString);
    }
}
