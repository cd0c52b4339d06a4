package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The measurement of many connections, with stand-ins. */
class CrowdTest extends Runs {
    @Test
    void benchKnowsTheCrowd() throws Exception {
        standIn("crowd", "floor program=crowd pairs=2 ns=1000.0 processor_ns=2000.0");
        assertEquals(
                0, run("bench", "crowd", "--forks", "1", "--crowds", "3,4:2", "--turns", "2", "--seconds", "0.05"), err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *4:2 +JFS( +\\S+){9}")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *4:2 +C floor +1000 +\\S+ +\\S+ +2.00 +\\S+ +\\S+")), text);
        assertTrue(text.contains("3 connections: requests a second to the JDK's"), text);
        assertTrue(text.contains("3 connections: 99th percentile") && text.contains("goal >= 1.2 x"), text);
        assertTrue(text.contains("0 of 5 talking JFS connections were switched"), text);
        pageHas(3);
    }

    @Test
    void benchKnowsACrowdThatAPoolServes() throws Exception {
        standIn("crowd", "floor program=crowd pairs=6 ns=1000.0 processor_ns=2000.0");
        assertEquals(
                0, run("bench", "crowd", "--forks", "1", "--crowds", "5:3", "--turns", "1", "--seconds", "0.05", "--threads", "pool",
                        "--pairs-of-jvms", "2"),
                err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *5:3 +JFS( +\\S+){9}")), text);
        assertTrue(text.contains("2 pairs of JVMs at once"), text);
        assertTrue(text.contains("0 of 6 talking JFS connections were switched"), text);
        pageHas(3);
    }

    @Test
    void aCrowdOfVirtualThreadsNeedsAJdkThatHasThem() throws Exception {
        if (Runtime.version().feature() >= 21) {
            standIn("crowd", "floor program=crowd pairs=2 ns=1000.0 processor_ns=2000.0");
            assertEquals(
                    0, run("bench", "crowd", "--forks", "1", "--crowds", "2", "--turns", "1", "--seconds", "0.05", "--threads", "virtual"),
                    err::toString);
        } else {
            assertEquals(2, run("bench", "crowd", "--threads", "virtual"));
            assertTrue(err.toString().startsWith("jfs: --threads: virtual threads need JDK 21 or later; "), err::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--threads, many, Invalid value for option '--threads'",
        "--pairs-of-jvms, 0, --pairs-of-jvms: 0 is not 1 or more",
    })
    void aCrowdRefusesWhatCannotBe(String option, String value, String says) {
        assertEquals(2, run("bench", "crowd", option, value));
        assertTrue(err.toString().startsWith("jfs: " + says), err::toString);
    }

    @Test
    void benchKnowsACrowdOnOneCoreBesideAProgramThatComputes() throws Exception {
        String report = folder.resolve("beside").toString();
        standIn("crowd", "floor program=crowd pairs=2 ns=1000.0 processor_ns=2000.0'\n"
                + "grep Cpus_allowed_list /proc/self/status > " + report + "\n"
                + "grep -ls 'kill [-]0' /proc/[0-9]*/cmdline >> " + report + "\ntrue '");
        assertEquals(
                0, run("bench", "crowd", "--forks", "1", "--crowds", "2", "--turns", "1", "--seconds", "0.05", "--busy", "1",
                        "--one-core"),
                err::toString);
        assertTrue(out.toString().contains("goal >= 1.5 x"), out::toString);
        String beside = Files.readString(Path.of(report));
        assertTrue(beside.contains("/cmdline"), beside);
        assertTrue(beside.lines().anyMatch(line -> line.matches("Cpus_allowed_list:\\s+\\d+")), beside);
        for (ProcessHandle child : ProcessHandle.current().children().toList()) {
            child.onExit().get(5, TimeUnit.SECONDS); // the busy loop too
        }
    }

    @Test
    void aCrowdInWhichMoreTalkThanThereAreIsAUsageError() {
        assertEquals(2, run("bench", "crowd", "--crowds", "3:4"));
        assertTrue(err.toString().startsWith("jfs: --crowds: 3:4 is not CONNECTIONS"), err::toString);
    }
}
