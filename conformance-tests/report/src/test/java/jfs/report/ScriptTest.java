package jfs.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./jfs test} in a temporary folder. The programs that the script calls exist but do nothing, and Maven leaves a report. */
class ScriptTest {

    private static final String DOCUMENT = Document.BEGIN + "\n" + Document.END + "\nby hand\n";

    private static final String FAILED = """
              <testcase name="fails" classname="jfs.conformance.ATest(jdk)" time="1">
                <failure message="it does"/>
              </testcase>""";

    @TempDir
    private Path folder;

    private record Ended(int status, String out, String err) {
    }

    @BeforeEach
    void build() throws IOException {
        Path project = Path.of("").toAbsolutePath(); // this module's
        Files.copy(project.resolve("../../jfs"), folder.resolve("jfs"));
        Files.createDirectories(folder.resolve("conformance-tests/report/target"));
        Files.createSymbolicLink(folder.resolve("conformance-tests/report/target/classes"),
                project.resolve("target/classes"));
        Files.createDirectories(folder.resolve("docs"));
        Files.writeString(folder.resolve("docs/conformance.md"), DOCUMENT);
        for (String command : List.of("cmake", "gcc", "g++", "make", "fc-list", "NPtcp", "ip", "redis-check-rdb")) {
            command("bin/" + command, "exit 1");
        }
        command("bin/apt-get", "exit 1");
        for (String version : List.of("17", "25")) {
            command(version + "/bin/javac", "exit 1");
            command(version + "/bin/java", "exec '" + System.getProperty("java.home") + "/bin/java' \"$@\"");
            Files.writeString(folder.resolve(version + "/release"), "JAVA_VERSION=\"" + version + ".0.1\"\n");
        }
        mavenReports(0, "<testcase name=\"works\" classname=\"jfs.conformance.ATest(jdk)\" time=\"1\"/>");
    }

    private void command(String name, String script) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertTrue(file.toFile().setExecutable(true));
    }

    private void mavenReports(int status, String tests) throws IOException {
        Files.writeString(folder.resolve("report"), """
                <?xml version="1.0"?>
                <testsuite name="jfs.conformance.ATest(jdk)">
                  <properties>
                    <property name="a" value="b"/>
                  </properties>
                %s
                </testsuite>
                """.formatted(tests));
        command("bin/mvn", """
                echo "$*" >>calls
                mkdir -p m/target/surefire-reports
                cp report m/target/surefire-reports/TEST-a.xml
                exit %d""".formatted(status));
    }

    private Ended jfs(String... arguments) throws Exception {
        ProcessBuilder start = new ProcessBuilder(folder.resolve("jfs").toString());
        start.command().addAll(List.of(arguments));
        start.environment().keySet().removeIf(name -> name.startsWith("JAVA_HOME"));
        start.environment().put("JAVA_HOME", folder.resolve("17").toString());
        start.environment().put("JAVA_HOME_25", folder.resolve("25").toString());
        start.environment().put("PATH", folder.resolve("bin") + ":/usr/bin:/bin");
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = start.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            assertTrue(process.waitFor(50, TimeUnit.SECONDS), () -> "it goes on and on");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private List<String> mavenCalls() throws IOException {
        Path calls = folder.resolve("calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    private String document() throws IOException {
        return Files.readString(folder.resolve("docs/conformance.md"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fast", "all", "--all --docs", "--all=true", "-Dtest=CloseTest"})
    void otherOptionsAreRefused(String options) throws Exception {
        String[] arguments = ("test " + options).split(" ");
        assertEquals(new Ended(2, "", "jfs: test " + options + ": its options are --all or --docs, one of them\n"),
                jfs(arguments));
        assertEquals(List.of(), mavenCalls());
    }

    /** Nothing is built for a command that is wrong. */
    @Test
    void aWrongNameIsRefusedAtOnce() throws Exception {
        assertEquals(new Ended(2, "", "jfs: no bench nosuch; there are pingpong asleep connect light crowd plainpeer startup first"
                + " programs nio typed preferences buffers layouts compare sisci scilib mx\n"), jfs("bench", "nosuch"));
        assertEquals(new Ended(2, "", "jfs: no demo nosuch; there are rmi, jdbc and nio, and the one without a name\n"),
                jfs("demo", "nosuch"));
        assertEquals(new Ended(2, "", "jfs: natives needs the name of a processor, which is aarch64\n"), jfs("natives"));
        assertEquals(List.of(), mavenCalls());
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo --help", "demo rmi -h", "bench pingpong --help", "bench mx --help"})
    void helpBuildsNothingIfTheMeasuringProgramIsThere(String arguments) throws Exception {
        command("17/bin/java", "echo \"$*\"");
        Files.createDirectories(folder.resolve("benchmarks/target"));
        Files.createFile(folder.resolve("benchmarks/target/benchmarks.jar"));
        Ended ended = jfs(arguments.split(" "));
        assertEquals(0, ended.status, ended::toString);
        assertTrue(ended.out.startsWith("-Dbenchmarks.command="), ended::toString);
        assertEquals(List.of(), mavenCalls());
    }

    @Test
    void allIsForTheTestsOnEachJdk() throws Exception {
        Ended ended = jfs("test", "--all");
        assertEquals(0, ended.status, ended::toString);
        assertEquals(2, mavenCalls().size());
        mavenCalls().forEach(call -> assertTrue(call.contains(" -Dtest.all=true -Dtest.jdks=2 "), call));
        mavenCalls().forEach(call -> assertTrue(!call.contains("!benchmarks") && !call.contains("test.again"), call));
        assertFalse(ended.out.contains("the subject file"), ended.out);
        assertEquals(DOCUMENT, document());
        assertTrue(Files.readString(folder.resolve("target/conformance.md")).contains("| works | ✓ |"));
    }

    @Test
    void withoutOptionsTheDifferenceIsSaid() throws Exception {
        Ended ended = jfs("test");
        assertEquals(0, ended.status, ended::toString);
        assertTrue(ended.out.endsWith("\ndocs/conformance.md is not of the JDKs of this run, so they are not compared\n"
                + "2 passed, 0 failed, 0 skipped\n"), ended.out);
        mavenCalls().forEach(call -> assertTrue(call.contains(" -Dtest.jdks=2 ") && !call.contains("test.all"), call));
        String once = " -Dskip.ctest -Dtest.again=true -pl !conformance-tests/report,!benchmarks ";
        assertEquals(List.of(false, true), mavenCalls().stream().map(call -> call.contains(once)).toList());
        assertEquals(DOCUMENT, document());
    }

    @Test
    void docsAreWrittenAndThenTheSame() throws Exception {
        Ended ended = jfs("test", "--docs");
        assertEquals(0, ended.status, ended::toString);
        assertTrue(document().contains("\n| Sockets, jdk | 1 | 1 passed | 1 passed |\n"), document());
        assertTrue(document().endsWith("\n| works | ✓ |\n" + Document.END + "\nby hand\n"), document());
        assertTrue(jfs("test").out.contains("\ndocs/conformance.md has what this run gave\n"));
    }

    @Test
    void docsStayIfATestFails() throws Exception {
        mavenReports(0, """
                  <testcase name="works" classname="jfs.conformance.ATest(jdk)" time="1"/>
                  <testcase name="fails(Start)[2]" classname="jfs.conformance.ATest(jdk)" time="1">
                    <failure message="expected: &lt;1&gt; but was: &lt;2&gt;"><![CDATA[<testcase name="no"]]></failure>
                  </testcase>
                  <testcase name="isNotForThis" classname="jfs.conformance.ATest(jdk)" time="1">
                    <skipped><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: it has none
                        at a.b]]></skipped>
                  </testcase>
                  <testcase name="isNotForThis(Start)[1]" classname="jfs.conformance.BTest(jdk)" time="1">
                    <skipped message="it is another"/>
                  </testcase>
                  <testcase name="norIsThis(Start)[1]" classname="jfs.conformance.BTest(sci)" time="1">
                    <skipped message="it is another"/>
                  </testcase>""");
        Ended ended = jfs("test", "--docs");
        assertEquals(1, ended.status, ended::toString);
        assertEquals(DOCUMENT, document());
        assertTrue(ended.out.endsWith("""
                SKIPPED on JDK 17: jfs.conformance.ATest(jdk).isNotForThis: it has none
                SKIPPED on JDK 17: jfs.conformance.BTest, 2 tests: it is another
                SKIPPED on JDK 25: jfs.conformance.ATest(jdk).isNotForThis: it has none
                SKIPPED on JDK 25: jfs.conformance.BTest, 2 tests: it is another
                ONLY with --all: the larger bounds of the models, the C tests under valgrind and for aarch64, the fuzzer, and mx.long_churn
                ON JDK 17 ONLY: the C tests, conformance-tests/report, benchmarks
                ON JDK 17 ONLY: the subject file; of sci_bare all but VirtualThreadTest; of mx and nio_sci the classes \
                that are not about the bytes and the end of a connection; most tests of sockets that run on channels \
                (conformance-tests/pom.xml)
                docs/conformance.md is left as it was, for not all tests passed
                FAILED on JDK 17: jfs.conformance.ATest(jdk).fails(Start)[2]: expected: <1> but was: <2>
                FAILED on JDK 25: jfs.conformance.ATest(jdk).fails(Start)[2]: expected: <1> but was: <2>
                2 passed, 2 failed, 6 skipped
                """), ended.out);
        assertTrue(Files.readString(folder.resolve("target/conformance.md")).contains("| fails | ✗ |"));
    }

    @Test
    void whatFailedIsSaidThoughTheDocumentCantBeMade() throws Exception {
        mavenReports(0, FAILED);
        Files.writeString(folder.resolve("docs/conformance.md"), "no place for it\n");
        Ended ended = jfs("test");
        assertEquals(1, ended.status, ended::toString);
        assertTrue(ended.out.contains("\ndocs/conformance.md can't be read, or target/conformance.md can't be written: "), ended.out);
        assertTrue(ended.out.endsWith("\nFAILED on JDK 25: jfs.conformance.ATest(jdk).fails: it does\n"
                + "0 passed, 2 failed, 0 skipped\n"), ended.out);
    }

    @Test
    void withoutReportsTheTestsHaveFailed() throws Exception {
        command("bin/mvn", "exit 0");
        Ended ended = jfs("test");
        assertEquals(1, ended.status, ended::toString);
        assertTrue(ended.out.contains("\nFAILED on JDK 17: the tests: there is no report\n"), ended.out);
    }

    @Test
    void aClassOfWhichNothingRanIsSkipped() throws Exception {
        mavenReports(0, "");
        Ended ended = jfs("test");
        assertTrue(ended.out.contains("\nSKIPPED on JDK 17: jfs.conformance.ATest(jdk): none of its tests ran\n"),
                ended.out);
        assertTrue(Files.readString(folder.resolve("target/conformance.md"))
                .contains("| *the class as a whole* | – <sup>1</sup> |"));
    }

    /** Maven goes on after the failed test, and reports success at the end. */
    @Test
    void aFailedTestIsOneWhateverMavenSays() throws Exception {
        mavenReports(0, FAILED);
        Ended ended = jfs("test");
        assertEquals(1, ended.status, ended::toString);
        assertTrue(ended.out.contains("\nFAILED on JDK 25: jfs.conformance.ATest(jdk).fails: it does\n"), ended.out);
        assertTrue(ended.out.endsWith("\n0 passed, 2 failed, 0 skipped\n"), ended.out);
    }

    @Test
    void afterABuildThatFailedTheOtherJdkHasNoTests() throws Exception {
        mavenReports(1, "<testcase name=\"works\" classname=\"jfs.conformance.ATest(jdk)\" time=\"1\"/>");
        Ended ended = jfs("test");
        assertEquals(1, ended.status, ended::toString);
        assertEquals(1, mavenCalls().size());
        assertTrue(ended.out.contains("\ndocs/conformance.md is not compared, because the build failed\n"), ended.out);
        assertTrue(ended.out.contains("\nSKIPPED all tests on JDK 25: Maven failed on JDK 17\n"), ended.out);
        assertTrue(ended.out.endsWith("\nFAILED on JDK 17: the build: see above\n1 passed, 1 failed, 0 skipped\n"), ended.out);
    }

    @Test
    void aFailedTestDoesNotHideThatTheBuildFailed() throws Exception {
        mavenReports(1, FAILED);
        Ended ended = jfs("test");
        assertEquals(1, ended.status, ended::toString);
        assertEquals(1, mavenCalls().size());
        assertTrue(ended.out.contains("\nFAILED on JDK 17: the build: see above\n"), ended.out);
    }

    /** Maven fails because of the C test, but the tests of each JDK have results all the same. */
    @Test
    void afterAFailedTestInCTheOtherJdkHasItsTests() throws Exception {
        command("bin/mvn", """
                echo "$*" >>calls
                mkdir -p native/target
                echo '<testsuite name="c"><testcase name="mx.a" classname="mx.a"><failure message="Failed"/></testcase></testsuite>' \\
                    >native/target/ctest.xml
                exit 1""");
        Ended ended = jfs("test");
        assertEquals(1, ended.status, ended::toString);
        assertEquals(2, mavenCalls().size());
        assertTrue(ended.out.contains("\nFAILED on JDK 17: mx.a: Failed\n"), ended.out);
    }

    @Test
    void theTimesOfModulesAndClassesAreSaid() throws Exception {
        mavenReports(0, """
                  <testcase name="isLong" classname="jfs.conformance.ATest(jdk)" time="1,003.4"/>
                  <testcase name="isLong" classname="jfs.conformance.BTest" time="2"/>""");
        String out = jfs("test").out;
        assertTrue(out.contains("\n  2011  m (JDK 17: 1005, JDK 25: 1005)\n"), out);
        assertTrue(out.contains("\n  2007  jfs.conformance.ATest (JDK 17: 1003, JDK 25: 1003)\n"
                + "     4  jfs.conformance.BTest (JDK 17: 2, JDK 25: 2)\n"), out);
    }

    @Test
    void whatIsDoneLessOftenThanWithAllIsSaidOnce() throws Exception {
        mavenReports(0, """
                  <testcase name="x" classname="jfs.conformance.ATest(jdk)" time="1">
                    <system-out><![CDATA[seed=1
                REDUCED: jfs.conformance.ATest.x: 8 instead of 1000
                the end]]></system-out>
                  </testcase>""");
        String line = "\nFEWER than with --all: jfs.conformance.ATest.x: 8 instead of 1000\n";
        String out = jfs("test").out;
        assertTrue(out.contains(line), out);
        assertEquals(out.indexOf(line), out.lastIndexOf(line), out);
    }

    @Test
    void whatPassedWhenItWasRunAgainIsUnsteady() throws Exception {
        mavenReports(0, """
                  <testcase name="wavers" classname="jfs.conformance.ATest(jdk)" time="1">
                    <failure message="at first"/>
                  </testcase>
                  <testcase name="wavers" classname="jfs.conformance.ATest(jdk)" time="1"/>""");
        Ended ended = jfs("test");
        assertEquals(0, ended.status, ended::toString);
        assertTrue(ended.out.contains(
                "\nUNSTEADY on JDK 17: jfs.conformance.ATest(jdk).wavers: failed, and passed when run again: at first\n"), ended.out);
        assertTrue(ended.out.endsWith("\n2 passed (2 unsteady), 0 failed, 0 skipped\n"), ended.out);
        assertTrue(Files.readString(folder.resolve("target/conformance.md")).contains("| wavers | ↻ |"));
    }

    /** Files of text stand for the jars, which have a line for each entry. Maven makes one with the libraries that it was told to build. */
    private void jars() throws IOException {
        command("17/bin/jar", "cat \"$2\"");
        command("bin/mvn", """
                echo "$*" >>calls
                mkdir -p launcher/target
                echo a.class >launcher/target/jfs.jar
                case "$*" in *-Paarch64*) echo jfs/nativelib/linux-aarch64/libjfs_jni.so >>launcher/target/jfs.jar ;; esac""");
        Files.createDirectories(folder.resolve("dist"));
        Files.writeString(folder.resolve("dist/jfs.jar"), "old.class\njfs/nativelib/linux-aarch64/libjfs_jni.so\n");
        command("bin/aarch64-linux-gnu-gcc", "exit 0");
    }

    private static final String LOST = "jfs: dist/jfs.jar is a new one, without the libraries for aarch64 that the one before it had;"
            + " ./jfs natives aarch64 adds them\n";

    @ParameterizedTest
    @ValueSource(strings = {"demo", "bench pingpong"})
    void aMeasurementKeepsTheLibrariesForAarch64(String command) throws Exception {
        jars();
        Ended ended = jfs(command.split(" ")); // there is nothing to run
        assertEquals("a.class\njfs/nativelib/linux-aarch64/libjfs_jni.so\n", Files.readString(folder.resolve("dist/jfs.jar")), ended.err);
        assertFalse(ended.err.contains(LOST), ended.err);
        command("bin/aarch64-linux-gnu-gcc", "exit 1");
        ended = jfs(command.split(" "));
        assertEquals("a.class\n", Files.readString(folder.resolve("dist/jfs.jar")));
        assertTrue(ended.err.contains(LOST), ended.err);
        ended = jfs(command.split(" "));
        assertFalse(ended.err.contains(LOST), "there are none to lose: " + ended.err);
    }

    @Test
    void aJarWithoutTheLibrariesForAarch64IsToldIfThereWereSome() throws Exception {
        jars();
        Ended ended = jfs("jar");
        assertEquals(0, ended.status, ended.err);
        assertTrue(ended.err.contains(LOST), ended.err);
        assertEquals("a.class\n", Files.readString(folder.resolve("dist/jfs.jar")));
    }
}
