package jfs.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the whole driver with its child processes, and with stand-ins for jfs.jar, NetPIPE and the floor. */
class MainTest {
    private static final Path STAND_INS = Path.of(MainTest.class.getProtectionDomain().getCodeSource().getLocation().getPath());

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void standInsForTheFloor() throws Exception {
        for (String program : List.of("shm-pingpong", "scil-pingpong", "crowd", "copy")) {
            String says = "#!/bin/sh\necho floor program=" + program + " bytes=$2 ns=50.00 least_ns=49.00\n";
            Path script = Files.writeString(folder.resolve(program), says);
            assertTrue(script.toFile().setExecutable(true));
        }
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--jfs", STAND_INS.toString(), "--floor", folder.toString()));
        return Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
    }

    /** Runs with the stand-ins in a jar, because an agent always comes as a jar. */
    private int runWithJar(String... arguments) throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), "JFSLauncher");
        Path jar = folder.resolve("jfs.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new JarEntry("JFSLauncher.class"));
            Files.copy(STAND_INS.resolve("JFSLauncher.class"), out);
        }
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--jfs", jar.toString(), "--floor", folder.toString(), "--forks", "1"));
        return Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
    }

    private int demo(String netpipe, String upper) {
        return run("demo", "--netpipe", netpipe, "--out", folder.resolve("out").toString(), "--rounds", "2", "--upper", upper);
    }

    @Test
    void demoComparesAndSaysThatNothingWasSwitched() throws Exception {
        assertEquals(0, demo(STAND_INS.toString(), "1"), err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *1 +26.7 +26.7 +1.00 +0.0374 +0.0374 +0.0500")), text);
        assertTrue(text.contains("535 x   goal <= 3 x   not met"), text);
        assertTrue(text.contains("NOT switched in 2 of 2 JFS sweeps"), text);
        assertTrue(text.contains("\n  jfs: fallback stand-in"), text);
        assertTrue(Files.readString(folder.resolve("out/results.json")).contains("\"rounds_switched\": 0"));
        assertEquals(2, Files.readAllLines(folder.resolve("out/results.csv")).size());
        for (String plot : List.of("latency.png", "bandwidth.png")) {
            assertEquals(1200, ImageIO.read(folder.resolve("out").resolve(plot).toFile()).getWidth());
        }
    }

    @Test
    void aFailedChildIsOneErrorWithTheEndOfItsOutput() {
        assertEquals(1, demo(STAND_INS.toString(), "13"));
        String text = err.toString();
        assertTrue(text.startsWith("error: the NetPIPE transmitter over JDK ended with exit code 1"), text);
        assertTrue(text.contains("an unlucky number"), text);
        assertFalse(text.contains("jfs.benchmarks"), text);
    }

    @Test
    void aWrongPathIsAUsageError() {
        assertEquals(2, demo("/does/not/exist.jar", "1"));
        assertTrue(err.toString().startsWith("--netpipe: there is no file /does/not/exist.jar"), err::toString);
    }

    @Test
    void benchMeasuresBetweenTwoJvms() {
        assertEquals(0, run("bench", "pingpong", "--forks", "1", "--sizes", "1,70000", "--turns", "2"), err::toString);
        assertTrue(out.toString().lines().anyMatch(line -> line.matches(" *70000 +\\S+ +\\S+ +0.0500 .*")), out::toString);
        assertTrue(out.toString().contains("switched in 0 of 2 forks; in the others it ran over plain TCP"), out::toString);
    }

    @Test
    void benchMeasuresQueuesBesideTheFloorAndC() {
        assertEquals(0, run("bench", "scilib", "--forks", "1", "--sizes", "8,5000", "--turns", "2"), err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *5000 +0.0490 +0.0490 +\\S+ +1.00 .*")), text);
        assertTrue(text.contains("8 bytes: C over SCILib to the C floor         1.00 x   goal <= 1.5 x   met"), text);
    }

    @Test
    void benchKnowsTheSleepingReceiverAndTheShortConnection() {
        assertEquals(0, run("bench", "asleep", "--forks", "1", "--requests", "40"), err::toString);
        assertEquals(0, run("bench", "connect", "--forks", "1", "--calls", "1,3", "--turns", "1"), err::toString);
        assertTrue(out.toString().contains("median"), out::toString);
        assertTrue(out.toString().lines().anyMatch(line -> line.matches(" *3( +\\S+){8}")), out::toString);
        assertTrue(out.toString().contains("3 calls: CPU of both ends to the JDK's"), out::toString);
        // Here both sides run over the JDK's sockets.
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches("3 calls: server's garbage above the JDK's .* met")), text);
        assertEquals(4, text.lines().filter(line -> line.matches(" *[13]( +\\S+){8}")).count(), text);
    }

    @Test
    void benchLooksForWhatGrowsWithConnections() {
        assertEquals(0, run("bench", "connect", "--rate", "100", "--seconds", "1"), err::toString);
        String text = out.toString();
        String row = " *(JDK|JFS) +\\d+ +(client|server)( +\\d+ to \\d+){6}";
        assertEquals(4, text.lines().filter(line -> line.matches(row)).count(), text);
        assertTrue(text.lines().anyMatch(line -> line.matches("JFS: after \\d+ connections (nothing has grown|more: .*)\\.")), text);
    }

    @ParameterizedTest
    @CsvSource({
        "--calls=0, --calls: 0 is not 1 or more",
        "--forks=0, --forks: 0 is not 1 or more",
        "--turns=0, --turns: 0 is not 1 or more",
        "--rate=0, --rate: 0.0 is not more than 0",
        "--rate=1 --seconds=0, --seconds: 0 is not 1 or more",
        "--seconds=1, --seconds: has no meaning without --rate",
        "--rate=1 --forks=1, --forks: has no meaning with --rate",
        "--rate=1 --turns=1, --turns: has no meaning with --rate",
        "'--rate=1 --calls=1,2', --calls: with --rate it is one number",
    })
    void shortConnectionsRefuseWhatCannotBe(String options, String says) {
        List<String> arguments = new ArrayList<>(List.of("bench", "connect"));
        arguments.addAll(List.of(options.split(" ")));
        assertEquals(2, run(arguments.toArray(String[]::new)));
        assertTrue(err.toString().startsWith(says), err::toString);
    }

    /** Else the command would fail at the end, with nothing to take the median of. */
    @ParameterizedTest
    @CsvSource({
        "bench pingpong --forks 0, --forks: 0 is not 1 or more",
        "bench connect --forks 0 --jfs . --floor . pingpong, --forks: 0 is not 1 or more",
        "bench pingpong --sizes 1;0, --sizes: 0 is not 1 or more",
        "bench plainpeer --turns 0, --turns: 0 is not 1 or more",
        "bench asleep --forks -1, --forks: -1 is not 1 or more",
        "bench mx --turns 0, --turns: 0 is not 1 or more",
        "bench light --connections 0, --connections: 0 is not 1 or more",
        "bench scilib --sizes 0, --sizes: 0 is not 1 or more",
        "programs jdbc --databases . --out . --time-limit 0, --time-limit: 0 is not 1 or more",
        "demo --netpipe . --out . --rounds 0, --rounds: 0 is not 1 or more",
    })
    void noCommandTakesACountOfNothing(String command, String says) {
        assertEquals(2, run(command.replace(';', ',').split(" ")));
        assertTrue(err.toString().startsWith(says), err::toString);
    }

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
            assertTrue(err.toString().startsWith("--threads: virtual threads need JDK 21 or later; "), err::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--threads, many, Invalid value for option '--threads'",
        "--pairs-of-jvms, 0, --pairs-of-jvms: 0 is not 1 or more",
    })
    void aCrowdRefusesWhatCannotBe(String option, String value, String says) {
        assertEquals(2, run("bench", "crowd", option, value));
        assertTrue(err.toString().startsWith(says), err::toString);
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
        assertTrue(err.toString().startsWith("--crowds: 3:4 is not CONNECTIONS"), err::toString);
    }

    @Test
    void benchKnowsTheFirstSeconds() throws Exception {
        Path results = folder.resolve("out");
        assertEquals(
                0, run("bench", "first", "--forks", "1", "--pairs", "2,1", "--seconds", "0.3", "--out", results.toString()),
                err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches("until s +1 pair: JDK +JFS +to JDK +2 pairs: JDK +JFS +to JDK")), text);
        assertEquals(3, text.lines().filter(line -> line.matches(" +0\\.[123]( +\\S+){6}")).count(), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *2 +JFS( +\\S+){6}")), text);
        assertTrue(text.contains("2 pairs, 0.3 s: to the JDK's"), text);
        assertFalse(text.contains("first second:"), text);
        assertTrue(text.contains("0 of 3 JFS connections were fast in the end; the others ran over plain TCP"), text);
        assertEquals(1200, ImageIO.read(results.resolve("first.png").toFile()).getWidth());
    }

    @Test
    void firstSecondsBesideAProgramThatComputesHaveNoGoalForTheFirstOne() {
        assertEquals(
                0, run("bench", "first", "--forks", "1", "--pairs", "1", "--seconds", "1", "--busy", "1", "--one-core"),
                err::toString);
        assertFalse(out.toString().contains("first second:"), out::toString);
        assertTrue(out.toString().contains("1 pair, 1 s: to the JDK's"), out::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "--forks, 0, --forks: 0 is not 1 or more",
        "--pairs, 0, --pairs: 0 is not 1 or more",
        "--seconds, 0.05, --seconds: 0.05 is not at least 0.1 and at most 60",
        "--seconds, 61, --seconds: 61.0 is not at least 0.1 and at most 60",
        "--bytes, 0, --bytes: 0 is not 1 or more",
        "--busy, -1, --busy: -1 is not 0 or more",
    })
    void firstSecondsRefuseWhatCannotBe(String option, String value, String says) {
        assertEquals(2, run("bench", "first", option, value));
        assertTrue(err.toString().startsWith(says), err::toString);
    }

    @Test
    void programsRunOverEachSideAndBesideTheirCeiling() throws Exception {
        Path results = folder.resolve("out");
        assertEquals(
                0, runWithJar("programs", "rmi", "--warmup", "0.01", "--seconds", "0.01", "--out", results.toString()), err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *RMI +null call( +\\S+){9} % +the (program|connection)")), text);
        assertTrue(text.contains("RMI: The JFS connection was switched in 0 of 1 forks; in the others"), text);
        assertTrue(text.contains("The JFS, agent connection was switched in 1 of 1 forks."), text);
        assertEquals(9, Files.readAllLines(results.resolve("rmi.csv")).size());
        assertEquals(1200, ImageIO.read(results.resolve("rmi.png").toFile()).getWidth());
    }

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
        assertEquals(1600, ImageIO.read(results.resolve("programs.png").toFile()).getWidth());
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
        assertEquals(1600, ImageIO.read(results.resolve("nio.png").toFile()).getWidth());
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
        assertEquals(1200, ImageIO.read(results.resolve("nio-idle.png").toFile()).getWidth());
        assertFalse(Files.exists(results.resolve("nio.csv")));
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
        assertTrue(err.toString().startsWith(says), err::toString);
    }

    @Test
    void theDemoOfChannelsIsAShortRunOfThem() throws Exception {
        Path results = folder.resolve("out");
        assertEquals(
                0, runWithJar("programs", "nio", "--libraries", libraries().toString(), "--turns", "1", "--seconds", "0.05",
                        "--warm-up", "1", "--cold-seconds", "0.1", "--out", results.toString()),
                err::toString);
        String text = out.toString();
        assertTrue(text.contains(" 1 turns a fork; 1 fork: "), text);
        assertEquals(
                List.of("netty", "netty", "netty", "netty", "httpserver", "httpserver"),
                Files.readAllLines(results.resolve("nio.csv")).stream().skip(1).map(line -> line.split(",")[0]).toList());
        assertEquals(1600, ImageIO.read(results.resolve("nio.png").toFile()).getWidth());
    }

    /** A folder with Netty, which the tests have on their class path. */
    private Path libraries() throws Exception {
        Path libraries = Files.createDirectories(folder.resolve("libraries"));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = Path.of(entry);
            if (jar.getFileName().toString().startsWith("netty-")) {
                Files.copy(jar, libraries.resolve(jar.getFileName()));
            }
        }
        return libraries;
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
        assertTrue(err.toString().startsWith(says), err::toString);
    }

    @Test
    void aRowThatThereIsNotIsAUsageError() {
        assertEquals(2, run("bench", "nio", "--libraries", folder.toString(), "--rows", "mina"));
        assertTrue(err.toString().startsWith("--rows: mina is none of netty"), err::toString);
        assertTrue(err.toString().contains("file, idle, and no operation of theirs"), err::toString);
    }

    @Test
    void coldOnlyAndWarmOnlyExcludeEachOther() {
        assertEquals(2, run("bench", "programs", "--libraries", folder.toString(), "--cold-only", "--warm-only"));
        assertTrue(err.toString().contains("--cold-only, --warm-only are mutually exclusive"), err::toString);
    }

    @Test
    void benchKnowsThePlainPeerAndTheStart() throws Exception {
        assertEquals(0, runWithJar("bench", "plainpeer", "--sizes", "1", "--turns", "2"), err::toString);
        assertEquals(0, runWithJar("bench", "startup"), err::toString);
        String text = out.toString();
        assertTrue(text.contains("JFS to JDK") && text.contains("JDK to JFS"), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *one connection +-javaagent( +\\S+){3}")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches("one connection of channels +JFSLauncher( +\\S+){3}")), text);
        assertTrue(text.lines().anyMatch(line -> line.matches(" *no sockets +empty agent( +\\S+){3}")), text);
    }

    @Test
    void benchPutsTheSisciLibraryBesideWhatItIsMadeOf() throws Exception {
        standIn("shm-whole", "floor program=shm-whole bytes=8 ns=50.00 least_ns=49.00");
        standIn("tcp-pingpong", "floor program=tcp-pingpong bytes=1 ns=50.00 least_ns=49.00");
        standIn("sisci-setup", "floor program=sisci-setup bytes=65536 ns=120.0 connected_ns=60.0 by_hand_ns=30.0 rounds=9");
        standIn("shmem_pingpong", "shmem_pingpong: 8 bytes: 0.1000 us one way, 80.0 MB/s");
        standIn("interrupt_pingpong", "interrupt_pingpong: 0.1000 us one way");
        assertEquals(0, run("bench", "sisci", "--forks", "2"), err::toString);
        String text = out.toString();
        assertTrue(text.lines().anyMatch(line -> line.matches(" *65536 bytes, one way +0.100 +0.0500 .* 2.00 +2.00..2.00")), text);
        assertTrue(text.contains("4.00 x   goal <= 3 x   not met") && text.contains("2.00 x   goal <= 3 x   met"), text);
    }

    private void standIn(String program, String says) throws Exception {
        Path script = Files.writeString(folder.resolve(program), "#!/bin/sh\necho '" + says + "'\n");
        assertTrue(script.toFile().setExecutable(true));
    }

    /** The name of a bench is a subcommand's name too. */
    @Test
    void aBenchIsAnOptionsValue() {
        assertEquals(2, run("bench", "compare", "HEAD", "--benches", "pingpong", "--forks", "0"));
        assertTrue(err.toString().contains("--forks"), err.toString());
        assertFalse(err.toString().contains("--benches' but found"), err.toString());
    }
}
